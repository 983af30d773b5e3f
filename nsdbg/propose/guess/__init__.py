"""What kinds of values a function's parameters take, read from its source."""
