"""All kinds of constraints and forces: their files, names, numbers, and the choice among them."""
