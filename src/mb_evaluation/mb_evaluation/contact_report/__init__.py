"""The report of a run in which something touches the machine."""
