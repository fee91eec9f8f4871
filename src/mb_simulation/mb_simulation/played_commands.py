"""Commands of an operator, from a work cycle or a bag."""

from dataclasses import dataclass

from mb_model import WorkCycle
from mb_model.file_api import open_reader, stamp_of
from mb_simulation.shipped import shipped_file

VALVES, PARAMETERS, DRIVES = 'ValveCommand', 'MechanismParameters', 'JointState'
COMMAND_TOPICS = {'valve_command': VALVES, 'parameter_command': PARAMETERS,
                  'drive_command': DRIVES}
KNOWN_COMMANDS = 'known_commands'       # topic on which a player says how far it is
FIELDS = {VALVES: ('valve', 'command'), PARAMETERS: ('name', 'value'), DRIVES: ('name', 'effort')}


@dataclass(frozen=True)
class Command:
    """Values for names from an instant on; kind: VALVES, PARAMETERS or DRIVES."""

    offset: int           # from the first instant [ns]
    kind: str
    names: tuple[str, ...]
    values: tuple[float, ...]


def still_to_play(commands, passed):
    """Return the Commands that matter when a time [ns] has passed.

    The last of each kind until then, and all later ones.
    """
    holding = {command.kind: command for command in commands if command.offset <= passed}
    return [command for command in commands
            if command.offset > passed or command is holding[command.kind]]


def cycle_file(name_or_path):
    """Return the path of a work cycle: a file, or the name of one that comes with mb_simulation.

    Raises ValueError naming these.
    """
    return shipped_file('cycle', name_or_path, 'work_cycles', '.csv')


def cycle_commands(cycle, valves):
    """Return the Commands of a WorkCycle for valves (u), its t = 0 the first instant."""
    commands, before = [], {}
    for row, t in enumerate(cycle.times):
        offset = round(1e9 * t)
        for kind, columns in ((PARAMETERS, cycle.parameters), (DRIVES, cycle.drives)):
            values = tuple(float(column[row]) for column in columns.values())
            if values and values != before.get(kind):
                commands.append(Command(offset, kind, tuple(columns), values))
            before[kind] = values
        commands.append(Command(offset, VALVES, tuple(valves), tuple(cycle.valves[row].tolist())))
    return commands


def bag_commands(folder):
    """Return the Commands in a bag, of COMMAND_TOPICS.

    The first of them is at the first instant.  Raises OSError, ValueError.
    """
    with open_reader(folder, VALVES, PARAMETERS) as bag:
        commands = [command for topic, kind in bag.kinds.items()
                    if COMMAND_TOPICS.get(topic.rsplit('/', 1)[-1]) == kind.rsplit('/', 1)[-1]
                    for _, command in bag.of(topic, _command)]
    if not commands:
        raise ValueError(f'{folder}: no command on {", ".join(COMMAND_TOPICS)}')
    commands.sort(key=lambda command: (command.offset, command.kind))
    first = commands[0].offset
    return [Command(command.offset - first, command.kind, command.names, command.values)
            for command in commands]


def _command(message):
    """Return the Command of a message, its stamp as offset.  Raises ValueError."""
    kind = type(message).__name__.rsplit('__', 1)[-1]
    names, values = (tuple(getattr(message, field)) for field in FIELDS[kind])
    if len(names) != len(values):
        raise ValueError(f'{kind}: {len(values)} values for {len(names)} names')
    return Command(stamp_of(message), kind, names, tuple(float(value) for value in values))


def load_cycle(name_or_path, mechanism):
    """Return the Commands of a work cycle for a mechanism; raises OSError, ValueError."""
    cycle = WorkCycle.load(cycle_file(name_or_path), mechanism)
    return cycle_commands(cycle, mechanism.circuit.valves)
