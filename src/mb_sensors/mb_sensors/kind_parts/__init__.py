"""What files of kinds of sensors are made of: descriptions, keys, channels and places on bodies."""
