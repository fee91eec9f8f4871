"""The notes of a monitor on a run, by stamps."""
