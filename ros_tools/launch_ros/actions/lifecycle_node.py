"""Start a managed node as a process."""
import threading

from launch import EventHandler
from launch.actions import OpaqueFunction
from launch.logging import get_logger

from ..events.lifecycle import ChangeState, StateTransition
from ..ros_adapters import get_ros_node
from .node import Node

POLL = 0.5          # [s] between looks whether the launch has ended meanwhile


class LifecycleEventManager:
    """Emits StateTransition events of a node, and carries out the ChangeState events for it."""

    def __init__(self, lifecycle_node):
        self.__node = lifecycle_node
        self.__logger = get_logger(__name__)
        self.__client = None
        self.__subscription = None

    def setup_lifecycle_manager(self, context):
        """Begin to listen to the node and to events."""
        from lifecycle_msgs.msg import TransitionEvent
        from lifecycle_msgs.srv import ChangeState as ChangeStateService
        node = get_ros_node(context)
        name = self.__node.node_name
        self.__subscription = node.create_subscription(
            TransitionEvent, f'{name}/transition_event',
            lambda message: context.emit_event_sync(
                StateTransition(action=self.__node, msg=message)), 10)
        self.__client = node.create_client(ChangeStateService, f'{name}/change_state')
        context.register_event_handler(EventHandler(
            matcher=lambda event: (isinstance(event, ChangeState)
                                   and event.lifecycle_node_matcher(self.__node)),
            entities=OpaqueFunction(function=self._start_call)))

    def _start_call(self, context):
        context.add_completion_future(context.asyncio_loop.run_in_executor(
            None, self.call, context, context.locals.event))

    def call(self, context, event):
        """Call the node's service (in a thread); wait for its answer or the end of the launch."""
        while not self.__client.wait_for_service(timeout_sec=POLL):
            if self._is_hopeless(context):
                self.__logger.warning(f"Abandoning wait for the '{self.__client.srv_name}' "
                                      'service, due to shutdown or the end of the node.')
                return
        request = self.__client.srv_type.Request()
        request.transition.id = event.transition_id
        answered = threading.Event()
        future = self.__client.call_async(request)
        future.add_done_callback(lambda _: answered.set())
        while not answered.wait(POLL):
            if self._is_hopeless(context):
                return
        if future.exception() is not None or not future.result().success:
            self.__logger.error(f'Failed to make transition {event.transition_id} '
                                f"for LifecycleNode '{self.__node.node_name}'")

    def _is_hopeless(self, context):
        return context.is_shutdown or self.__node.return_code is not None


class LifecycleNode(Node):
    """A Node whose states can be changed by ChangeState and are announced by StateTransition."""

    def __init__(self, *, name, namespace, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)

    @property
    def is_lifecycle_node(self):
        return True

    def execute(self, context):
        self._perform_substitutions(context)
        if not self.is_node_name_fully_specified():
            raise RuntimeError("'name' and 'namespace' of a LifecycleNode must be specified")
        LifecycleEventManager(self).setup_lifecycle_manager(context)
        super().execute(context)
