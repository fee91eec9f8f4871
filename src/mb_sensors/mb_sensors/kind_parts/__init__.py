"""Parts of the files of sensor kinds: descriptions, keys, channels and points on bodies."""
