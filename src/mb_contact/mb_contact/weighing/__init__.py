"""What a tool weighs at its stop, and what pushes at its edge, by motion and measured pressures."""
