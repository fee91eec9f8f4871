"""Actions of launch_ros."""
from ros_tools import missing_in

from .lifecycle_node import LifecycleNode
from .node import Node
from .settings import (
    PushROSNamespace,
    PushRosNamespace,
    SetParameter,
    SetParametersFromFile,
    SetRemap,
    SetUseSimTime,
)

__all__ = [
    'LifecycleNode', 'Node', 'PushROSNamespace', 'PushRosNamespace', 'SetParameter',
    'SetParametersFromFile', 'SetRemap', 'SetUseSimTime',
]

__getattr__ = missing_in(__name__)
