"""Every file and folder that packages of ours write, by one policy.

Results are the user's, as the umask says, and whole or not there; private files are for this user
alone.  A name that others know may be a link, a pipe or a file of theirs: nothing is followed, and
nothing that others can write is believed.  docs/how_to/security.md lists all of them.
"""
