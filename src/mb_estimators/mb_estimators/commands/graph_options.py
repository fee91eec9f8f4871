"""Common options of commands that solve a mechanism by a factor graph."""

from mb_model import load_mechanism
from mb_model.command_api import changes_of


def settings_text(kind):
    """Return lines on the settings of a graph, a Settings class."""
    return 'settings:\n' + '\n'.join(f'  {name}: {described.help} ({kind.defaults()[name]})'
                                     for name, _, described in kind.describe())


def add_graph_arguments(parser):
    """Add settings of the graph and changes of the mechanism to an argparse parser."""
    parser.add_argument('--setting', action='append', default=[], metavar='NAME=VALUE',
                        dest='settings', help='of the graph, see below; repeatable')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE', dest='changes',
                        help='change an entry of the mechanism file, such as '
                        'bodies.crank.mass=3; repeatable')


def changed_mechanism(given):
    """Return the mechanism that parsed arguments name, with their changes; raises ValueError."""
    mechanism = load_mechanism(given.mechanism)
    return mechanism.replace(**changes_of(given.changes)) if given.changes else mechanism
