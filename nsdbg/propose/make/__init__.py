"""Values: collected from goal and source, generated, mutated, edited, written as recipes."""
