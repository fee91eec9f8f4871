"""Pictures of mechanisms in the plane."""
