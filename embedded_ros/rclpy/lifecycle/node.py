"""Managed nodes."""
from lifecycle_msgs import msg, srv

from rclpy.impl.errors import RCLError
from rclpy.lifecycle.managed_entity import ManagedEntity
from rclpy.lifecycle.publisher import LifecyclePublisher
from rclpy.lifecycle.state_machine import (
    STATES,
    TRANSITIONS,
    LifecycleState,
    StateMachine,
    TransitionCallbackReturn,
)
from rclpy.node import Node
from rclpy.qos import QoSProfile

_CALLBACKS = {'configuring': 'on_configure', 'cleaningup': 'on_cleanup',
              'shuttingdown': 'on_shutdown', 'activating': 'on_activate',
              'deactivating': 'on_deactivate', 'errorprocessing': 'on_error'}


class LifecycleNodeMixin(ManagedEntity):
    """Gives a Node states; the on_... callbacks may be overridden, calling super().

    Private names have two underscores, so that a user's node does not hide them.
    """

    def __init__(self, *, enable_communication_interface=True, callback_group=None):
        self._managed_entities = []
        self.__event_publisher = None
        self._state_machine = StateMachine(self.__publish_transition)
        if not isinstance(enable_communication_interface, bool):
            raise TypeError('enable_communication_interface must be a bool')
        if not enable_communication_interface:
            return
        self.__event_publisher = self.create_publisher(
            msg.TransitionEvent, '~/transition_event', QoSProfile(depth=10))
        for kind, name, callback in (
                (srv.ChangeState, 'change_state', self.__on_change_state),
                (srv.GetState, 'get_state', self.__on_get_state),
                (srv.GetAvailableStates, 'get_available_states', self.__on_get_states),
                (srv.GetAvailableTransitions, 'get_available_transitions',
                 self.__on_get_transitions),
                (srv.GetAvailableTransitions, 'get_transition_graph', self.__on_get_graph)):
            service = self.create_service(
                kind, f'~/{name}', callback, callback_group=callback_group)
            setattr(self, f'_service_{name}', service)
            setattr(self._state_machine, f'service_{name}', service)

    def trigger_configure(self):
        return self.__change_state(msg.Transition.TRANSITION_CONFIGURE)

    def trigger_cleanup(self):
        return self.__change_state(msg.Transition.TRANSITION_CLEANUP)

    def trigger_shutdown(self):
        """Shut down from any state that can be; elsewhere nothing happens."""
        for transition in self._state_machine.possible:
            if transition.label == 'shutdown':
                return self.__change_state(transition.id)
        return None

    def trigger_activate(self):
        return self.__change_state(msg.Transition.TRANSITION_ACTIVATE)

    def trigger_deactivate(self):
        return self.__change_state(msg.Transition.TRANSITION_DEACTIVATE)

    def add_managed_entity(self, entity):
        """Let an entity take part in all transitions."""
        self._managed_entities.append(entity)

    def create_lifecycle_publisher(self, *args, **kwargs):
        """Like create_publisher; the publisher sends while the node is active only."""
        if 'publisher_class' in kwargs:
            raise TypeError(
                "create_publisher() got an unexpected keyword argument 'publisher_class'")
        publisher = self.create_publisher(*args, **kwargs, publisher_class=LifecyclePublisher)
        self.add_managed_entity(publisher)
        return publisher

    def destroy_lifecycle_publisher(self, publisher):
        if publisher in self._managed_entities:
            self._managed_entities.remove(publisher)
        return self.destroy_publisher(publisher)

    def on_configure(self, state):
        return self.__notify_entities('on_configure', state)

    def on_cleanup(self, state):
        return self.__notify_entities('on_cleanup', state)

    def on_shutdown(self, state):
        return self.__notify_entities('on_shutdown', state)

    def on_activate(self, state):
        return self.__notify_entities('on_activate', state)

    def on_deactivate(self, state):
        return self.__notify_entities('on_deactivate', state)

    def on_error(self, state):
        return self.__notify_entities('on_error', state)

    def __notify_entities(self, callback, state):
        """Ask the entities in order; the first that does not succeed decides."""
        for entity in self._managed_entities:
            outcome = getattr(entity, callback)(state)
            if outcome != TransitionCallbackReturn.SUCCESS:
                return outcome
        return TransitionCallbackReturn.SUCCESS

    def __change_state(self, number):
        machine = self._state_machine
        start = machine.state
        machine.step(number)
        outcome = self.__run_callback(start)
        machine.step(machine.find(outcome.to_label()))
        if outcome == TransitionCallbackReturn.ERROR:
            handled = self.__run_callback(start)
            machine.step(machine.find(handled.to_label()))
        return outcome

    def __run_callback(self, start):
        """Run the callback of the present state; an exception counts as ERROR."""
        name = _CALLBACKS[self._state_machine.state.label]
        try:
            outcome = getattr(self, name)(start)
            return TransitionCallbackReturn(outcome)
        except Exception as error:
            self.get_logger().error(f'{name} failed: {type(error).__name__}: {error}')
            return TransitionCallbackReturn.ERROR

    def __publish_transition(self, transition):
        if self.__event_publisher is not None:
            self.__event_publisher.publish(msg.TransitionEvent(
                timestamp=self.get_clock().now().nanoseconds,
                transition=msg.Transition(id=transition.id, label=transition.label),
                start_state=_state(transition.start), goal_state=_state(transition.goal)))

    def __on_change_state(self, request, response):
        try:
            number = request.transition.id
            if request.transition.label:
                number = self._state_machine.find(request.transition.label)
            response.success = self.__change_state(number) == TransitionCallbackReturn.SUCCESS
        except RCLError as error:
            self.get_logger().warning(str(error))
            response.success = False
        return response

    def __on_get_state(self, request, response):
        response.current_state = _state(self._state_machine.state)
        return response

    @staticmethod
    def __on_get_states(request, response):
        response.available_states = [_state(state) for state in STATES.values()]
        return response

    def __on_get_transitions(self, request, response):
        response.available_transitions = [_description(t) for t in self._state_machine.possible]
        return response

    @staticmethod
    def __on_get_graph(request, response):
        response.available_transitions = [_description(t) for t in TRANSITIONS]
        return response


class LifecycleNode(LifecycleNodeMixin, Node):
    """A managed node."""

    def __init__(self, node_name, *, enable_communication_interface=True, **kwargs):
        Node.__init__(self, node_name, **kwargs)
        LifecycleNodeMixin.__init__(
            self, enable_communication_interface=enable_communication_interface)


def _state(state):
    return msg.State(id=state.state_id, label=state.label)


def _description(transition):
    return msg.TransitionDescription(
        transition=msg.Transition(id=transition.id, label=transition.label),
        start_state=_state(transition.start), goal_state=_state(transition.goal))


__all__ = ['LifecycleNode', 'LifecycleNodeMixin', 'LifecycleState']
