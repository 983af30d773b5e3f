"""What a person or a program gets to read."""
