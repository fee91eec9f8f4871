"""What monitors note of a run that they listen to."""
