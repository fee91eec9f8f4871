"""The kinds of valves, one in each file: registry.valves gathers them."""
