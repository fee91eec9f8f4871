"""One module for each command, or a folder with modules for its verbs.

A module has `add_arguments(parser)` and `main(args)`, or for each of several verbs
`add_<verb>_arguments(parser)` and `run_<verb>(args)`.  They return the exit code, or a text that is
printed as the reason of exit code 1.
"""
