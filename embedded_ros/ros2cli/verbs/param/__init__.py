"""Various param related sub-commands."""
VERBS = {
    'delete': 'Delete parameter',
    'describe': 'Show descriptive information about declared parameters',
    'dump': 'Show all of the parameters of a node in a YAML file format',
    'get': 'Get parameter',
    'list': 'Output a list of available parameters',
    'load': 'Load parameter file for a node',
    'set': 'Set parameter',
}
