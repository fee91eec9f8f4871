"""Reports of unknown forces that were found in the recording of a real machine."""
