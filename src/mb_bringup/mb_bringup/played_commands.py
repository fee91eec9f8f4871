"""Commands of an operator, from a work cycle or a bag."""

from dataclasses import dataclass
from pathlib import Path

from rosbags.rosbag2 import Reader, ReaderError

from mb_bringup.shipped import shipped_file
from mb_model.hydraulics import WorkCycle
from mb_model.simulation.bag import message_types

VALVES, PARAMETERS = 'ValveCommand', 'MechanismParameters'
_TOPICS = {'valve_command': VALVES, 'parameter_command': PARAMETERS}
_NAMES = {VALVES: ('valve', 'command'), PARAMETERS: ('name', 'value')}


@dataclass(frozen=True)
class Command:
    """Values for names from an instant on; kind: VALVES or PARAMETERS."""

    offset: int           # from the first instant [ns]
    kind: str
    names: tuple[str, ...]
    values: tuple[float, ...]


def still_to_play(commands, passed):
    """Return those of some Commands that matter when a time [ns] has passed.

    The last of each kind until then, which holds, and all since.
    """
    holding = {command.kind: command for command in commands if command.offset <= passed}
    return [command for command in commands
            if command.offset > passed or command is holding[command.kind]]


def cycle_file(name_or_path):
    """Return the path of a work cycle: a file, or one of those that come with mb_bringup.

    Raises ValueError naming those.
    """
    return shipped_file('cycle', name_or_path, 'work_cycles', '.csv')


def cycle_commands(cycle, valves):
    """Return the Commands of a WorkCycle for valves (u), its t = 0 the first instant."""
    commands, before = [], None
    for row, t in enumerate(cycle.times):
        offset = round(1e9 * t)
        values = tuple(float(column[row]) for column in cycle.parameters.values())
        if values != before and values:
            commands.append(Command(offset, PARAMETERS, tuple(cycle.parameters), values))
        before = values
        commands.append(Command(offset, VALVES, tuple(valves), tuple(cycle.valves[row].tolist())))
    return commands


def bag_commands(folder):
    """Return the Commands in a bag, of topics valve_command and parameter_command.

    The first of them is at the first instant.  Raises OSError, ValueError.
    """
    if not Path(folder).exists():
        raise FileNotFoundError(f'{folder}: no such bag')
    types = message_types(VALVES, PARAMETERS)
    try:
        with Reader(folder) as reader:
            chosen = [c for c in reader.connections
                      if _TOPICS.get(c.topic.rsplit('/', 1)[-1]) == c.msgtype.rsplit('/', 1)[-1]]
            found = [_command(types.deserialize_cdr(data, connection.msgtype))
                     for connection, _, data in reader.messages(chosen)] if chosen else []
    except ReaderError as error:
        raise ValueError(f'{folder}: not a readable bag ({error})') from None
    if not found:
        raise ValueError(f'{folder}: no command on valve_command or parameter_command')
    found.sort(key=lambda command: command.offset)
    return [Command(command.offset - found[0].offset, command.kind, command.names, command.values)
            for command in found]


def _command(message):
    """Return the Command of a message, its stamp as offset."""
    kind = type(message).__name__.rsplit('__', 1)[-1]
    names, values = (tuple(getattr(message, field)) for field in _NAMES[kind])
    stamp = message.header.stamp
    return Command(stamp.sec * 1_000_000_000 + stamp.nanosec, kind, names,
                   tuple(float(value) for value in values))


def load_cycle(name_or_path, mechanism):
    """Return the Commands of a work cycle for a mechanism; raises OSError, ValueError."""
    cycle = WorkCycle.load(cycle_file(name_or_path), mechanism)
    return cycle_commands(cycle, mechanism.circuit.valves)
