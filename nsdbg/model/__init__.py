"""The neural debugger's making: traces, samples, training, export.  Torch lives here alone."""
