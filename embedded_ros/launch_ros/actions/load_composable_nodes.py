"""Load components into a container."""
from pathlib import Path

from launch.action import Action
from launch.frontend import expose_action
from launch.some_substitutions_type import SomeSubstitutionsType_types_tuple
from launch.utilities import ensure_argument_type, perform_substitutions

from ..descriptions.composable_node import parse_composable_nodes
from ..parameter_descriptions import ParameterFile
from ..utilities.evaluate_parameters import evaluate_parameters
from ..utilities.namespace_utils import make_namespace_absolute, prefix_namespace
from ..utilities.normalize_parameters import normalize_parameter_dict
from ..utilities.to_parameters_list import to_parameters_list
from .composable_node_container import ComposableNodeContainer

MISSING = 'LoadComposableNodes: components need a ROS 2 installation'


@expose_action('load_composable_node')
class LoadComposableNodes(Action):
    """Loads C++ components, which there are none of without ROS 2."""

    def __init__(self, *, composable_node_descriptions, target_container, **kwargs):
        ensure_argument_type(
            target_container, (*SomeSubstitutionsType_types_tuple, ComposableNodeContainer),
            'target_container', 'LoadComposableNodes')
        super().__init__(**kwargs)
        self.__composable_node_descriptions = composable_node_descriptions
        self.__target_container = target_container

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['target_container'] = parser.parse_substitution(entity.get_attr('target'))
        kwargs['composable_node_descriptions'] = parse_composable_nodes(entity, parser)
        return cls, kwargs

    def execute(self, context):
        raise NotImplementedError(MISSING)


def get_composable_node_load_request(composable_node_description, context):
    """Return the request LoadNode for a description; None if its condition does not hold."""
    from composition_interfaces.srv import LoadNode
    node = composable_node_description
    if node.condition() is not None and not node.condition().evaluate(context):
        return None
    request = LoadNode.Request()
    request.package_name = perform_substitutions(context, node.package)
    request.plugin_name = perform_substitutions(context, node.node_plugin)
    if node.node_name is not None:
        request.node_name = perform_substitutions(context, node.node_name)
    namespace = None
    if node.node_namespace is not None:
        namespace = perform_substitutions(context, node.node_namespace)
    namespace = make_namespace_absolute(prefix_namespace(
        context.launch_configurations.get('ros_namespace'), namespace))
    request.node_namespace = namespace or ''
    own = [(perform_substitutions(context, source), perform_substitutions(context, target))
           for source, target in node.remappings or ()]
    request.remap_rules = [
        f'{source}:={target}' for source, target in
        [*(context.launch_configurations.get('ros_remaps') or ()), *own]]

    def messages(parameters):
        return to_parameters_list(context, request.node_name, namespace,
                                  evaluate_parameters(context, parameters))
    request.parameters = messages([*common_parameters(context), *(node.parameters or ())])
    request.extra_arguments = messages(node.extra_arguments or ())
    return request


def common_parameters(context):
    """Yield what SetParameter and SetParametersFromFile have set, normalized."""
    for item in context.launch_configurations.get('global_params') or ():
        if isinstance(item, tuple):
            yield normalize_parameter_dict(dict([item]))
        else:
            yield ParameterFile(Path(item).resolve())
