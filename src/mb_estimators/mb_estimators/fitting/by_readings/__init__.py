"""The most likely numbers and densities of noises by readings alone."""
