"""Several nodes in one process, each with its own arguments, in one executor.

    ros2 run mb_ros compose mb_sensors/encoder_driver --ros-args -p seed:=3 -- \
        mb_estimators/estimator --ros-args -r __node:=observer --params-file robot.yaml

What stands between two `--` is what `ros2 run` would take for the node alone.
"""

from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from importlib.metadata import entry_points
import sys
from typing import Any

from rclpy.node import Node

from mb_ros.node_main import USER_ERROR, run
from mb_ros.program import main_of, uncollected
from mb_ros.usage import OF_NODES, USAGE_OF_SEVERAL, asks_for_help, problem_of


def main() -> int:
    """Run the nodes that the command line names, or print the usage."""
    if asks_for_help(sys.argv[1:]):
        print(USAGE_OF_SEVERAL, OF_NODES, sep='\n\n')
        return 0
    with uncollected():
        makers = makers_of(sys.argv[1:])
    if makers is None:
        return USER_ERROR
    run(makers, args=[])
    return 0


def makers_of(words: Sequence[str]) -> list[Callable[[], Node]] | None:
    """Return what makes each node of a command line; print what is wrong with it and return None.

    All modules of the nodes are imported then.
    """
    try:
        makers = [_maker(part) for part in parts(words)]
        if not makers:
            raise ValueError('no node given')
    except ValueError as error:
        print(error, USAGE_OF_SEVERAL, sep='\n', file=sys.stderr)
        return None
    return makers


def parts(words: Sequence[str]) -> list[list[str]]:
    """Return the words of each node: lists that `--` separated."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == '--':
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def node_class(program: str) -> Any:
    """Return the class of a node named PACKAGE/NODE.  Raises ValueError."""
    package, _, executable = program.partition('/')
    nodes = {entry.name: entry for entry in entry_points(group='console_scripts')
             if entry.dist and entry.dist.name.replace('-', '_') == package
             and entry.attr.startswith('node.')}
    if executable not in nodes:
        raise ValueError(f'{program}: unknown node, expected PACKAGE/NODE'
                         + (f' with one of {", ".join(sorted(nodes))}' if nodes else ''))
    return main_of(nodes[executable].attr.removeprefix('node.')).node_class


def _maker(words: Sequence[str]) -> Callable[[], Node]:
    program, *arguments = words
    of_program = node_class(program)
    if problem := problem_of(arguments):
        raise ValueError(f'{program}: {problem}')
    return update_wrapper(partial(of_program, cli_args=arguments), of_program, updated=())
