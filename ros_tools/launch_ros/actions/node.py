"""Start a ROS node as a process."""
import os
from pathlib import Path

from launch.actions import ExecuteProcess
from launch.frontend import expose_action
from launch.logging import get_logger
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
import yaml

from ..parameter_descriptions import Parameter, ParameterFile, ParameterValue, temporary_yaml
from ..substitutions import ExecutableInPackage
from ..utilities import (
    evaluate_parameters,
    make_namespace_absolute,
    normalize_parameters,
    normalize_remap_rules,
    prefix_namespace,
)

VALUE_TYPES = {
    'int': int, 'float': float, 'bool': bool, 'str': str, 'list_of_int': list[int],
    'list_of_float': list[float], 'list_of_bool': list[bool], 'list_of_str': list[str],
}


@expose_action('node')
class Node(ExecuteProcess):
    """Runs an executable of a package (or a program by its path) as a node.

    name, namespace, remappings: given to the node as `-r` rules; parameters: a list of YAML files
    (paths), dicts and Parameters, of which a later one wins; arguments: for the program;
    ros_arguments: behind --ros-args; exec_name: name of the process; the rest: ExecuteProcess.
    """

    UNSPECIFIED_NODE_NAME = '<node_name_unspecified>'
    UNSPECIFIED_NODE_NAMESPACE = '<node_namespace_unspecified>'

    def __init__(self, *, executable, package=None, name=None, namespace=None, exec_name=None,
                 parameters=None, remappings=None, ros_arguments=None, arguments=None, **kwargs):
        program = executable if package is None else ExecutableInPackage(
            package=package, executable=executable)
        cmd = [program, *(arguments or ()), '--ros-args', *(ros_arguments or ())]
        super().__init__(cmd=cmd, name=exec_name, **kwargs)
        self.__package = package
        self.__node_executable = executable
        self.__node_name = name
        self.__node_namespace = namespace
        self.__parameters = None if parameters is None else normalize_parameters(parameters)
        self.__remappings = [] if remappings is None else list(normalize_remap_rules(remappings))
        self.__arguments = arguments
        self.__expanded_node_name = self.UNSPECIFIED_NODE_NAME
        self.__expanded_node_namespace = self.UNSPECIFIED_NODE_NAMESPACE
        self.__expanded_parameter_arguments = None
        self.__substitutions_performed = False
        self.__name_rules = []
        self.__logger = get_logger(__name__)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser, ignore=['cmd', 'name'])
        return cls, {**kwargs, **parse_node(entity, parser, cls._parse_cmdline)}

    @property
    def node_executable(self):
        return self.__node_executable

    @property
    def node_name(self):
        """The fully qualified name, as far as it is known; a RuntimeError before the execution."""
        if not self.__substitutions_performed:
            raise RuntimeError("cannot access 'node_name' before executing action")
        name = self.__expanded_node_name
        if self.__expanded_node_namespace not in ('', '/'):
            return f'{self.__expanded_node_namespace.rstrip("/")}/{name}'
        return '/' + name

    @property
    def expanded_parameter_arguments(self):
        """Pairs (path, True) of files and (rule 'name:=value', False)."""
        return self.__expanded_parameter_arguments

    def is_node_name_fully_specified(self):
        """Return whether both name and namespace are given by the launch file."""
        return (self.__expanded_node_name != self.UNSPECIFIED_NODE_NAME
                and self.__expanded_node_namespace != self.UNSPECIFIED_NODE_NAMESPACE)

    def execute(self, context):
        self._perform_substitutions(context)
        super().execute(context)
        if self.is_node_name_fully_specified():
            counts = context.get_globals_as_dict().setdefault('unique_ros_node_names', {})
            count = counts[self.node_name] = counts.get(self.node_name, 0) + 1
            if count > 1:
                get_logger('launch_ros').warning(
                    f'there are now at least {count} nodes with the name {self.node_name} created '
                    'within this launch context')

    def _perform_substitutions(self, context):
        """Add the ROS arguments to the command line, once all substitutions can be performed."""
        if self.__substitutions_performed:
            return
        self.__substitutions_performed = True
        self._expand_name(context)
        added = [*self.__name_rules, *self._parameter_arguments(context),
                 *self._remap_rules(context)]
        self.process_description.cmd.extend(map(normalize_to_list_of_substitutions, added))

    def _expand_name(self, context):
        from rclpy.validate_namespace import validate_namespace
        from rclpy.validate_node_name import validate_node_name
        if self.__node_name is not None:
            name = perform_substitutions(
                context, normalize_to_list_of_substitutions(self.__node_name))
            validate_node_name(name)
            self.__expanded_node_name = name
            self.__name_rules += ['-r', f'__node:={name}']
        namespace = None
        if self.__node_namespace is not None:
            namespace = perform_substitutions(
                context, normalize_to_list_of_substitutions(self.__node_namespace))
        namespace = make_namespace_absolute(prefix_namespace(
            context.launch_configurations.get('ros_namespace'), namespace or None))
        if namespace is not None:
            validate_namespace(namespace)
            self.__expanded_node_namespace = namespace
            self.__name_rules += ['-r', f'__ns:={namespace}']
        elif self.__node_namespace is not None:     # '' was given
            self.__expanded_node_namespace = '/'

    def _parameter_arguments(self, context):
        """Parameters of SetParameter and SetParametersFromFile come first: the node's own win."""
        arguments, expanded = [], []
        for item in context.launch_configurations.get('global_params') or ():
            if isinstance(item, tuple):
                name, value = item
                arguments += ['-p', f'{name}:={yaml_of(value)}']
            else:
                arguments += self._file_argument(os.path.abspath(item), expanded)
        for item in evaluate_parameters(context, self.__parameters or ()):
            if isinstance(item, Path):
                arguments += self._file_argument(str(item), expanded)
            elif isinstance(item, dict):
                if item:
                    arguments += self._file_argument(self._file_of(item), expanded)
            elif isinstance(item, Parameter):
                rule = f'{item.name}:={yaml_of(item.value)}'
                expanded.append((rule, False))
                arguments += ['-p', rule]
        self.__expanded_parameter_arguments = expanded
        return arguments

    def _file_argument(self, path, expanded):
        if not os.path.isfile(path):
            self.__logger.warning(f'Parameter file path is not a file: {path}')
            return []
        expanded.append((path, True))
        return ['--params-file', path]

    def _file_of(self, values):
        """Write a dict of parameters to a file; return its path."""
        node = self.node_name if self.is_node_name_fully_specified() else '/**'
        return temporary_yaml(yaml.dump({node: {'ros__parameters': values}},
                                        default_flow_style=False))

    def _remap_rules(self, context):
        rules = list(context.launch_configurations.get('ros_remaps') or ())
        rules += [(perform_substitutions(context, source), perform_substitutions(context, target))
                  for source, target in self.__remappings]
        return [word for source, target in rules for word in ('-r', f'{source}:={target}')]


def yaml_of(value):
    """Return a value as one line of YAML that is read as the same type again."""
    return yaml.safe_dump(value, default_flow_style=True, width=10 ** 9).removesuffix(
        '...\n').strip()


def parse_node(entity, parser, parse_cmdline):
    """Return the keyword arguments of a Node, without the arguments of ExecuteProcess."""
    kwargs = {}
    for attribute, option in (('pkg', 'package'), ('name', 'name'), ('exec_name', 'exec_name'),
                              ('namespace', 'namespace')):
        text = entity.get_attr(attribute, optional=True)
        if text is not None:
            kwargs[option] = parser.parse_substitution(text)
    kwargs['executable'] = parser.parse_substitution(entity.get_attr('exec'))
    for attribute, option in (('args', 'arguments'), ('ros_args', 'ros_arguments')):
        text = entity.get_attr(attribute, optional=True)
        if text is not None:
            kwargs[option] = parse_cmdline(text, parser)
    remappings = entity.get_attr('remap', data_type=list, optional=True)
    if remappings is not None:
        kwargs['remappings'] = [parse_remapping(item, parser) for item in remappings]
    parameters = entity.get_attr('param', data_type=list, optional=True)
    if parameters is not None:
        kwargs['parameters'] = parse_parameters(parameters, parser)
    return kwargs


def parse_remapping(item, parser):
    rule = (parser.parse_substitution(item.get_attr('from')),
            parser.parse_substitution(item.get_attr('to')))
    item.assert_entity_completely_parsed()
    return rule


def parse_parameters(items, parser):
    """Return dicts and files of the elements <param name= value= type=> and <param from=>."""
    parameters = []
    for item in items:
        path = item.get_attr('from', optional=True)
        if path is None:
            parameters.append(dict([parse_parameter(item, parser)]))
            continue
        if item.get_attr('name', optional=True) is not None:
            raise RuntimeError('name and from attributes are mutually exclusive')
        allow = item.get_attr('allow_substs', data_type=bool, optional=True, can_be_str=True)
        parameters.append(ParameterFile(
            parser.parse_substitution(path),
            allow_substs=False if allow is None else parser.parse_if_substitutions(allow)))
        item.assert_entity_completely_parsed()
    return parameters


def parse_parameter(item, parser):
    """Return (name, value, or a dict of nested parameters)."""
    name = tuple(parser.parse_substitution(item.get_attr('name')))
    nested = item.get_attr('param', data_type=list, optional=True)
    kind = item.get_attr('type', optional=True)
    if kind is not None and kind not in VALUE_TYPES:
        raise ValueError(f"parameter type '{kind}' is none of {', '.join(VALUE_TYPES)}")
    value = item.get_attr('value', data_type=VALUE_TYPES.get(kind), optional=True)
    if (nested is None) == (value is None):
        raise RuntimeError('a param needs either a value or nested params')
    item.assert_entity_completely_parsed()
    if nested is not None:
        return name, dict(parse_parameter(child, parser) for child in nested)
    value = parser.parse_if_substitutions(value)
    if kind is None:
        return name, value
    return name, ParameterValue(value, value_type=VALUE_TYPES[kind])
