"""The gate: gathers findings from logs, test reports, a diff and a measurement, and decides."""
