"""What a controller computes at every step."""
