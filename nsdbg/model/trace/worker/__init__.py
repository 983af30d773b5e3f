"""What runs in the process that is recorded: standard library only, Python 3.8 and newer."""
