"""Various action related sub-commands."""
VERBS = {
    'find': 'Find actions from type',
    'info': 'Print information about an action',
    'list': 'Output a list of action names',
    'send_goal': 'Send an action goal',
    'type': "Print a action's type",
}
