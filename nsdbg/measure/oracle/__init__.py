"""The oracle: what is true of a program, by plain `bdb` in an interpreter of its own.

Shares no code with `verify/`, since it judges what that lets through.
"""
