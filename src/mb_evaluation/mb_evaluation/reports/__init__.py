"""Common parts of the reports of all kinds of runs."""
