"""Actions: what a launch description can do."""
from ros_tools import missing_in

from .configurations import (
    AppendEnvironmentVariable,
    SetEnvironmentVariable,
    SetLaunchConfiguration,
    UnsetEnvironmentVariable,
    UnsetLaunchConfiguration,
)
from .declare_launch_argument import DeclareLaunchArgument
from .events import EmitEvent, RegisterEventHandler, Shutdown, UnregisterEventHandler
from .execute_local import ExecuteLocal
from .execute_process import ExecuteProcess
from .group_action import GroupAction
from .include_launch_description import IncludeLaunchDescription
from .log_info import LogInfo
from .opaque_function import OpaqueFunction
from .timer_action import TimerAction

__all__ = [
    'AppendEnvironmentVariable', 'DeclareLaunchArgument', 'EmitEvent', 'ExecuteLocal',
    'ExecuteProcess', 'GroupAction', 'IncludeLaunchDescription', 'LogInfo', 'OpaqueFunction',
    'RegisterEventHandler', 'SetEnvironmentVariable', 'SetLaunchConfiguration', 'Shutdown',
    'TimerAction', 'UnregisterEventHandler', 'UnsetEnvironmentVariable',
    'UnsetLaunchConfiguration',
]

__getattr__ = missing_in(__name__)
