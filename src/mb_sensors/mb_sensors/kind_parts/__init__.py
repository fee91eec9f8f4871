"""Parts of the files of sensor kinds: descriptions, keys, channels and places on bodies."""
