"""Description of a component."""
from launch.utilities import normalize_to_list_of_substitutions

from ..utilities.normalize_parameters import normalize_parameters
from ..utilities.normalize_remap_rule import normalize_remap_rules


class ComposableNode:
    """A component which LoadComposableNodes could load."""

    def __init__(self, *, package, plugin, name=None, namespace=None, parameters=None,
                 remappings=None, extra_arguments=None, condition=None):
        self.package = normalize_to_list_of_substitutions(package)
        self.node_plugin = normalize_to_list_of_substitutions(plugin)
        self.node_name = None if name is None else normalize_to_list_of_substitutions(name)
        self.node_namespace = (
            None if namespace is None else normalize_to_list_of_substitutions(namespace))
        self.parameters = None if parameters is None else normalize_parameters(parameters)
        self.remappings = None if remappings is None else list(normalize_remap_rules(remappings))
        self.extra_arguments = (
            None if extra_arguments is None else normalize_parameters(extra_arguments))
        self.condition = condition
