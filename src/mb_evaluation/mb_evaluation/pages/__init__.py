"""Pages of runs for the browser."""
