"""Description of a component."""
from launch.action import Action
from launch.utilities import normalize_to_list_of_substitutions

from ..utilities.normalize_parameters import normalize_parameters
from ..utilities.normalize_remap_rule import normalize_remap_rules


class ComposableNode:
    """A component which LoadComposableNodes could load."""

    def __init__(self, *, package, plugin, name=None, namespace=None, parameters=None,
                 remappings=None, extra_arguments=None, condition=None):
        self.__package = normalize_to_list_of_substitutions(package)
        self.__node_plugin = normalize_to_list_of_substitutions(plugin)
        self.__node_name = None if name is None else normalize_to_list_of_substitutions(name)
        self.__node_namespace = (
            None if namespace is None else normalize_to_list_of_substitutions(namespace))
        self.__parameters = None if parameters is None else normalize_parameters(parameters)
        self.__remappings = list(normalize_remap_rules(remappings)) if remappings else None
        self.__extra_arguments = normalize_parameters(extra_arguments) if extra_arguments else None
        self.__condition = condition

    @classmethod
    def parse(cls, parser, entity):
        """Return (this class, keyword arguments) of an element <composable_node>."""
        from ..actions.node_parsing import parse_parameters, parse_remapping
        _, kwargs = Action.parse(entity, parser)
        for attribute, option, optional in (('pkg', 'package', False), ('plugin', 'plugin', False),
                                            ('name', 'name', True),
                                            ('namespace', 'namespace', True)):
            text = entity.get_attr(attribute, optional=optional)
            if text is not None:
                kwargs[option] = parser.parse_substitution(text)
        remappings = entity.get_attr('remap', data_type=list, optional=True)
        if remappings is not None:
            kwargs['remappings'] = [parse_remapping(item, parser) for item in remappings]
        for attribute, option in (('param', 'parameters'), ('extra_arg', 'extra_arguments')):
            items = entity.get_attr(attribute, data_type=list, optional=True)
            if items is not None:
                kwargs[option] = parse_parameters(items, parser)
        entity.assert_entity_completely_parsed()
        return cls, kwargs

    @property
    def package(self):
        return self.__package

    @property
    def node_plugin(self):
        return self.__node_plugin

    @property
    def node_name(self):
        return self.__node_name

    @property
    def node_namespace(self):
        return self.__node_namespace

    @property
    def parameters(self):
        return self.__parameters

    @property
    def remappings(self):
        return self.__remappings

    @property
    def extra_arguments(self):
        return self.__extra_arguments

    def condition(self):
        """Return the condition on which the component is loaded, or None."""
        return self.__condition


def parse_composable_nodes(entity, parser, optional=False):
    """Return the descriptions among the children of an element, None if there are none."""
    children = entity.get_attr('composable_node', data_type=list, optional=optional)
    if children is None:
        return None
    made = [ComposableNode.parse(parser, child) for child in children]
    return [description(**kwargs) for description, kwargs in made]
