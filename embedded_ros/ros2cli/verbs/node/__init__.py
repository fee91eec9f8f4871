"""Various node related sub-commands."""
VERBS = {
    'info': 'Output information about a node',
    'list': 'Output a list of available nodes',
}
