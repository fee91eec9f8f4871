"""Reports of estimates in recordings of real machines: of unknown forces, and of readings."""
