"""Settings that fit recordings best, by search."""
