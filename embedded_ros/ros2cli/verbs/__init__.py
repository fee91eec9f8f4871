"""One module for each command without verbs, one folder with a module per verb for the others.

A module has `add_arguments(parser)` and `main(args)`, which returns the exit code, or a text that
is printed as the reason of exit code 1.  Its docstring's first line describes it in the help.
"""
