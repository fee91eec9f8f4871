"""What a monitor notes of a run, by stamps."""
