"""Files: where users mean them to be, written whole, kept private."""
