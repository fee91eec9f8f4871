"""Functions which several parts of launch_ros need."""
from .evaluate_parameters import evaluate_parameter_dict, evaluate_parameters
from .lifecycle_event_manager import LifecycleEventManager
from .namespace_utils import (
    is_namespace_absolute,
    is_root_namespace,
    make_namespace_absolute,
    prefix_namespace,
)
from .normalize_parameters import normalize_parameter_dict, normalize_parameters
from .normalize_remap_rule import normalize_remap_rule, normalize_remap_rules
from .to_parameters_list import to_parameters_list
from .track_node_names import add_node_name, get_node_name_count

__all__ = [
    'LifecycleEventManager', 'add_node_name', 'evaluate_parameter_dict', 'evaluate_parameters',
    'get_node_name_count', 'is_namespace_absolute', 'is_root_namespace',
    'make_namespace_absolute', 'normalize_parameter_dict', 'normalize_parameters',
    'normalize_remap_rule', 'normalize_remap_rules', 'prefix_namespace', 'to_parameters_list',
]
