"""The kinds of constraints: a file is an equation, entries of mechanism files, or both."""
