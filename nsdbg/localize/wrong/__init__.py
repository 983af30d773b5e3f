"""Wrong values: a test fails though nothing crashed, and the fault lies in what gave the value."""
