"""Various service related sub-commands."""
VERBS = {
    'call': 'Call a service',
    'find': 'Output a list of available services of a given type',
    'info': 'Print information about a service',
    'list': 'Output a list of available services',
    'type': "Output a service's type",
}


def add_arguments(parser):
    parser.add_argument('--include-hidden-services', action='store_true',
                        help='Consider hidden services as well')
