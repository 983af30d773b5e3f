"""Settings: what [tool.nsdbg] and the user's own file say, and where each value comes from.

`find` the files, `read` each against what is `known`, with `trust` for the project's own, and say
what is in `force`.  Commands do not ask here: their options' defaults are filled by `cli`.
Nothing is imported here, so that a start without any such file does not pay for reading one.
"""
