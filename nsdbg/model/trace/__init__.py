"""The trace corpus: recorded activations of functions, and the files that hold them."""
