"""The description of a launch file: its arguments, and what starts once they are known.

Wrong arguments end `ros2 launch` with one line and exit code 2, before anything has started, as
they end all commands.  An exception alone would end it with 1, in the middle of a log.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
import os
from pathlib import Path
import sys
from typing import Any

from launch import LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    OpaqueFunction,
    RegisterEventHandler,
    SetEnvironmentVariable,
    TimerAction,
)
from launch.event_handlers import OnShutdown

from mb_bringup.turns import in_turn
from mb_model.command_api import USER_ERROR

# What Fast DDS sends by, unless the environment says otherwise.  By its default, shared memory, a
# robot is judged no sooner (docs/how_to/faults.md), and a killed process leaves its segments.
TRANSPORTS = 'FASTDDS_BUILTIN_TRANSPORTS', 'UDPv4'
SIGNAL_TIME = 0.02          # wall time in which launch acts on a Ctrl-C that came before [s]
_LAUNCH_FILE = 'current_launch_file_path'


def described(arguments: Mapping[str, Any],
              start: Callable[[LaunchContext], Any]) -> LaunchDescription:
    """Return the LaunchDescription of Arguments by name; start(context): returns what follows.

    start raises ValueError or OSError for arguments that cannot be.  What a command launches waits
    for its turn first.
    """
    name, default = TRANSPORTS
    return LaunchDescription([
        SetEnvironmentVariable(name, os.environ.get(name, default)),
        # choices first: launch itself would end with 1 for a wrong one
        OpaqueFunction(function=partial(_or_ended, partial(_check, arguments))),
        *(DeclareLaunchArgument(name, default_value=one.default, description=one.description,
                                choices=list(one.choices) or None)
          for name, one in arguments.items()),
        OpaqueFunction(function=partial(_in_turn, partial(_or_ended, start)))])


def is_launched_alone(context: LaunchContext) -> bool:
    """Return whether a command names this launch file itself, so that no other includes it."""
    path = context.get_locals_as_dict().get(_LAUNCH_FILE)
    return path is not None and Path(path).name in (Path(word).name for word in sys.argv)


def _check(arguments: Mapping[str, Any], context: LaunchContext) -> None:
    """Raise ValueError for a value that an Argument cannot take."""
    for name in arguments.keys() & context.launch_configurations.keys():
        arguments[name].check(name, context.launch_configurations[name])


def _in_turn(start: Callable[[LaunchContext], Any], context: LaunchContext) -> Any:
    """Return what start(context) does, when it is the turn of a launch file that is alone."""
    if not is_launched_alone(context):
        return start(context)
    # Launch forgets it while it waits.
    path, begun = {_LAUNCH_FILE: context.get_locals_as_dict()[_LAUNCH_FILE]}, []

    def later(context: LaunchContext) -> Any:
        begun.append(True)
        context.extend_locals(path)
        return _unless_interrupted(start(context))

    def say(event: Any, _context: LaunchContext) -> None:
        if event.due_to_sigint and not begun:
            print('interrupted before anything was recorded', flush=True)
    return [RegisterEventHandler(OnShutdown(on_shutdown=say)), *_unless_interrupted(
        [OpaqueFunction(function=partial(in_turn, later))])]


def _unless_interrupted(actions: Sequence[Any] | None) -> list[Any]:
    """Return actions that register the handlers at once, and the rest unless Ctrl-C has come.

    Launch does not act on it while it imports a launch file or makes what this describes, and would
    start all processes before it ends them.
    """
    handlers = [one for one in actions or () if isinstance(one, RegisterEventHandler)]
    others = [one for one in actions or () if not isinstance(one, RegisterEventHandler)]
    return [*handlers, TimerAction(period=SIGNAL_TIME, cancel_on_shutdown=True, actions=[
        OpaqueFunction(function=lambda context: [] if context.is_shutdown else others)])]


def _or_ended(start: Callable[[LaunchContext], Any], context: LaunchContext) -> Any:
    """Return what start(context) does, or end the process that runs this launch file alone."""
    try:
        return start(context)
    except (ValueError, OSError) as error:
        if not is_launched_alone(context):      # others may have started something: end that, too
            raise
        print(error, file=sys.stderr, flush=True)
    # The loop has nothing else to do, and would report tasks that do not end.
    context.asyncio_loop.set_exception_handler(lambda _loop, _problem: None)
    sys.exit(USER_ERROR)
