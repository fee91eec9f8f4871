"""From the file of a description, and the Machine in it, to the mapping of a mechanism file."""
