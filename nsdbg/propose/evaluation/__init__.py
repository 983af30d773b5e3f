"""A small total evaluator of Python over known values; its public face is `propose.evaluate`."""
