"""What programs of nodes answer to words that are no arguments of ROS, and to `--help`."""

from collections.abc import Sequence
import shlex

_OF_RCL = 'Failed to parse ROS arguments: '
HELP = {'-h', '--help'}
ROS_ARGUMENTS = '--ros-args [-p NAME:=VALUE] [--params-file FILE] [-r FROM:=TO]'
OF_NODES = ('parameters and topics: docs/reference/nodes.md, or `ros2 param describe` of the '
            'running node')

USAGE_OF_SEVERAL = ('usage: ros2 run mb_ros compose|keep PACKAGE/NODE [--ros-args ...] '
                    '[-- PACKAGE/NODE ...]')


def asks_for_help(words: Sequence[str]) -> bool:
    """Return whether the words of a command line ask for help."""
    return not HELP.isdisjoint(words)


def usage_of_node(program: str, description: str) -> str:
    """Return the usage of a node.

    program: 'PACKAGE NODE'; description: what the node does, of which the first paragraph counts.
    """
    summary = ' '.join(description.partition('\n\n')[0].split())
    return f'usage: ros2 run {program} [{ROS_ARGUMENTS}]\n\n{summary}\n\n{OF_NODES}'


def problem_of(words: Sequence[str]) -> str:
    """Return what is wrong with the words after the name of a node, in one line; '' if nothing."""
    from rclpy.utilities import remove_ros_args

    try:
        others = remove_ros_args(['', *words])[1:]
    except RuntimeError as error:       # of rcl, which names its own sources behind its words
        objection = str(error).removeprefix(_OF_RCL).partition(', at /')[0].strip('[]')
    else:
        objection = shlex.quote(others[0]) if others else ''
    return f'{objection}: expected {ROS_ARGUMENTS}' if objection else ''
