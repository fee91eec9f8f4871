"""The kinds of forces: a file is an element that acts, entries of mechanism files, or both."""
