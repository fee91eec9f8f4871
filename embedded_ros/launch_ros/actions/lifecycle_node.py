"""Start a managed node as a process."""
from launch.frontend import expose_action
from launch.logging import get_logger

from ..utilities.lifecycle_event_manager import LifecycleEventManager
from .node import Node


@expose_action('lifecycle_node')
class LifecycleNode(Node):
    """A Node whose states can be changed by ChangeState and are announced by StateTransition.

    autostart: configure and activate it as soon as it runs.
    """

    def __init__(self, *, name, namespace, autostart=False, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self.__autostart = autostart
        self.__logger = get_logger(__name__)
        self.__event_manager = None

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        autostart = entity.get_attr(
            'autostart', data_type=bool, optional=True, can_be_str=False)
        if autostart is not None:
            kwargs['autostart'] = autostart
        return cls, kwargs

    @property
    def node_autostart(self):
        return self.__autostart

    @property
    def is_lifecycle_node(self):
        return True

    def execute(self, context):
        self._perform_substitutions(context)
        if not self.is_node_name_fully_specified():
            raise RuntimeError("'name' and 'namespace' of a LifecycleNode must be specified")
        self.__event_manager = LifecycleEventManager(self)
        self.__event_manager.setup_lifecycle_manager(context)
        super().execute(context)
        return self._autostart_entities() if self.__autostart else None

    def _autostart_entities(self):
        from lifecycle_msgs.msg import Transition

        from .lifecycle_transition import LifecycleTransition
        return [LifecycleTransition(
            lifecycle_node_names=[self.node_name],
            transition_ids=[Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE])]
