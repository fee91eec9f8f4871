"""The kinds of shapes of bodies, one in each file: registry.shapes gathers them."""
