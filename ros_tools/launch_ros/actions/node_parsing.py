"""Nodes in XML and YAML launch files."""
from ..parameter_descriptions import ParameterFile, ParameterValue

VALUE_TYPES = {
    'int': int, 'float': float, 'bool': bool, 'str': str, 'list_of_int': list[int],
    'list_of_float': list[float], 'list_of_bool': list[bool], 'list_of_str': list[str],
}


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
