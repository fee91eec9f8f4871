"""Pictures of mechanisms in space."""
