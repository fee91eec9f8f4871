"""Various topic related sub-commands."""
VERBS = {
    'bw': 'Display bandwidth used by topic',
    'delay': 'Display delay of topic from timestamp in header',
    'echo': 'Output messages from a topic',
    'find': 'Output a list of available topics of a given type',
    'hz': 'Print the average receiving rate to screen',
    'info': 'Print information about a topic',
    'list': 'Output a list of available topics',
    'pub': 'Publish a message to a topic',
    'type': "Print a topic's type",
}
FILES = {**dict.fromkeys(('find', 'info', 'list', 'type'), 'graph'),
         **dict.fromkeys(('bw', 'delay', 'hz'), 'measure')}
