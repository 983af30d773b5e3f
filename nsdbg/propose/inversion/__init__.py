"""Program inversion: from a result back to arguments, by rules and by plain guesses."""
