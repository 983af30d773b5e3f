"""The oracle's worker: what is true of a program, by plain Python and `bdb`; standard library only.

Runs under the target's interpreter, 3.8 and newer, under the private name `_nsdbg_oracle`.  It
shares no code with nsdbg, and with `verify/` no way of looking at a run either.
"""
