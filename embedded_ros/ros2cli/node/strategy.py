"""How a command gets at the graph.  There is no daemon here, so always by a node of its own."""
from ros2cli.node import direct
from ros2cli.node.direct import DirectNode


def add_arguments(parser):
    """Add the options of a node of one's own and --no-daemon."""
    direct.add_arguments(parser)
    parser.add_argument(
        '--no-daemon', action='store_true', help='Do not spawn nor use an already running daemon'
    )


class NodeStrategy(DirectNode):
    """A DirectNode, whatever --no-daemon says."""
