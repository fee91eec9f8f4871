"""What several kinds of joints, coordinates and forces in space are made of."""
