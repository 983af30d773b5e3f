"""Settings: what [tool.nsdbg] and the user's own file say, and where each value comes from."""
