"""What a command line says to nodes: everything between --ros-args and -- (or the end)."""
import re

from rclpy.impl import log_levels, remap
from rclpy.impl.errors import RCLInvalidROSArgsError, UnknownROSArgsError
from rclpy.impl.log_outputs import outputs

_SWITCHES = {f'--{verb}-{name}': (name, verb == 'enable') for verb in ('enable', 'disable')
             for name in ('rosout-logs', 'stdout-logs', 'external-lib-logs')}
_PARAMETER = re.compile(r'(?:(?P<node>[^:=\s]+):)?(?P<name>[^:=\s]+):=(?P<value>.+)', re.DOTALL)


class Arguments:
    """Parsed arguments of a process or a node."""

    def __init__(self):
        self.non_ros_arguments, self.unknown = [], []
        self.rules, self.log_levels = [], []
        self.enclave, self.log_file_name = '/', ''
        self.switches = dict.fromkeys(('rosout-logs', 'stdout-logs', 'external-lib-logs'), True)
        self.parameters = []  # ParameterSections, weakest first

    @property
    def rosout_enabled(self):
        return self.switches['rosout-logs']

    def apply_logging(self):
        """Set the levels and outputs of this process."""
        for name, level in self.log_levels:
            log_levels.set_level(name, level)
        outputs.configure(
            console=self.switches['stdout-logs'], rosout=self.switches['rosout-logs'],
            file=self.switches['external-lib-logs'], file_prefix=self.log_file_name)

    def chained(self, other):
        """Arguments that look here first, then in the other ones (the process's)."""
        both = Arguments()
        both.rules = self.rules + other.rules
        both.parameters = other.parameters + self.parameters
        both.enclave = self.enclave if self.enclave != '/' else other.enclave
        both.switches = other.switches
        both.non_ros_arguments = self.non_ros_arguments
        return both

    def node_name(self, name):
        """Name that a node gets instead of the given one."""
        return remap.find_replacement(self.rules, 'node', name) or name

    def namespace(self, name, namespace):
        """Namespace that a node of this (given) name gets instead."""
        return remap.find_replacement(self.rules, 'namespace', name) or namespace

    def remap_topic(self, full_name, node_name, namespace):
        return remap.remap_name(self.rules, 'topic', full_name, node_name, namespace)

    def remap_service(self, full_name, node_name, namespace):
        return remap.remap_name(self.rules, 'service', full_name, node_name, namespace)

    def parameter_overrides(self, node_name, namespace):
        """Parameters given to the node: {name: rclpy Parameter}."""
        if not self.parameters:
            return {}
        from rclpy.parameter import Parameter
        full_name = f'{namespace.rstrip("/")}/{node_name}'
        values = {}
        for sections in self.parameters:
            values.update(sections.for_node(full_name))
        return {name: Parameter(name, value=value) for name, value in values.items()}


def parse_arguments(args):
    """Read a list of arguments; what is wrong raises RCLInvalidROSArgsError (a RuntimeError).

    Unknown options after --ros-args raise UnknownROSArgsError.
    """
    arguments, rest, in_ros_args = Arguments(), iter(args), False
    for argument in rest:
        if not in_ros_args:
            if argument == '--ros-args':
                in_ros_args = True
            else:
                arguments.non_ros_arguments.append(argument)
        elif argument == '--':
            in_ros_args = False
        elif argument != '--ros-args':
            _take(arguments, argument, rest)
    if arguments.unknown:
        raise UnknownROSArgsError(f'Found unknown ROS arguments: {arguments.unknown}')
    return arguments


def _take(arguments, option, rest):
    if option in _SWITCHES:
        name, value = _SWITCHES[option]
        arguments.switches[name] = value
        return
    if option not in _OPTIONS:
        arguments.unknown.append(option)
        return
    what, handler = _OPTIONS[option]
    value = next(rest, None)
    if value is None:
        raise RCLInvalidROSArgsError(
            f"Failed to parse ROS arguments: {what} expected after '{option}'")
    try:
        handler(arguments, value)
    except (ValueError, RuntimeError, OSError) as error:
        raise RCLInvalidROSArgsError(
            f"Failed to parse ROS arguments: Couldn't parse {what}: '{option} {value}'. "
            f'Error: {error}') from None


def _remap(arguments, value):
    arguments.rules.append(remap.parse_rule(value))


def _parameter(arguments, value):
    found = _PARAMETER.fullmatch(value)
    if not found:
        raise ValueError('expected name:=value or node:name:=value')
    _sections(arguments).add(found['node'] or '**', found['name'], found['value'])


def _parameter_file(arguments, value):
    _sections(arguments).add_file(value)


def _sections(arguments):
    from rclpy.impl.parameter_files import ParameterSections
    if not arguments.parameters:
        arguments.parameters.append(ParameterSections())
    return arguments.parameters[0]


def _log_level(arguments, value):
    name, separator, level = value.rpartition(':=')
    if separator and not name:
        raise ValueError('expected level or logger:=level')
    arguments.log_levels.append((name, log_levels.severity_from_string(level)))


def _enclave(arguments, value):
    if not re.fullmatch(r'/|/?[A-Za-z_]\w*(/[A-Za-z_]\w*)*', value, re.ASCII):
        raise ValueError('expected a name such as /robot/arm')
    arguments.enclave = value


def _log_file_name(arguments, value):
    arguments.log_file_name = value


def _log_config(arguments, value):
    raise NotImplementedError('log configuration files are not supported')


_OPTIONS = {
    '-r': ('remap rule', _remap), '--remap': ('remap rule', _remap),
    '-p': ('parameter override rule', _parameter),
    '--param': ('parameter override rule', _parameter),
    '--params-file': ('params file', _parameter_file),
    '--log-level': ('log level rule', _log_level),
    '-e': ('enclave name', _enclave), '--enclave': ('enclave name', _enclave),
    '--log-file-name': ('log file name prefix', _log_file_name),
    '--log-config-file': ('log config file', _log_config),
}
