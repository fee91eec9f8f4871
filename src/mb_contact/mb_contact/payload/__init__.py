"""Unknown masses of a mechanism, such as its payload, from its motion and its cylinders' forces."""
