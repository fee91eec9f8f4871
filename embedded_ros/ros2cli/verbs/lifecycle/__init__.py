"""Various lifecycle related sub-commands."""
VERBS = {
    'get': 'Get lifecycle state for one or more nodes',
    'list': 'Output a list of available transitions',
    'nodes': 'Output a list of nodes with lifecycle',
    'set': 'Trigger lifecycle state transition',
}
