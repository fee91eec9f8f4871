"""What pictures in the plane and in space are made of."""
