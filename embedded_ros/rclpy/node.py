"""Nodes."""
import copy
import weakref

from embedded_ros.dds.names import dds_topic_name
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.client import Client
from rclpy.clock import ROSClock
from rclpy.constants import S_TO_NS
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.exceptions import NameValidationException, NotInitializedException
from rclpy.expand_topic_name import expand_topic_name
from rclpy.guard_condition import GuardCondition
from rclpy.impl.arguments import parse_arguments
from rclpy.impl.errors import RCLError
from rclpy.impl.handle import Handle
from rclpy.impl.middleware import create_client, create_reader, create_service, create_writer
from rclpy.impl.node_graph import NodeGraph
from rclpy.impl.node_parameters import PARAMETER_SEPARATOR_STRING, NodeParameters
from rclpy.impl.rosout import start_rosout, stop_rosout
from rclpy.logging import get_logger
from rclpy.publisher import Publisher
from rclpy.qos import (
    QoSProfile, qos_profile_parameter_events, qos_profile_rosout_default,
    qos_profile_services_default)
from rclpy.service import Service
from rclpy.subscription import Subscription
from rclpy.time_source import TimeSource
from rclpy.timer import Rate, Timer
from rclpy.type_description_service import TypeDescriptionService
from rclpy.type_support import check_is_valid_msg_type, check_is_valid_srv_type
from rclpy.utilities import get_default_context
from rclpy.validate_full_topic_name import validate_full_topic_name
from rclpy.validate_namespace import validate_namespace
from rclpy.validate_node_name import validate_node_name
from rclpy.validate_topic_name import validate_topic_name

__all__ = ['HIDDEN_NODE_PREFIX', 'Node', 'PARAMETER_SEPARATOR_STRING']

HIDDEN_NODE_PREFIX = '_'


class Node(NodeGraph, NodeParameters):
    """A participant of the ROS graph: a name, and what is published, served and timed under it."""

    def __init__(self, node_name, *, context=None, cli_args=None, namespace=None,
                 use_global_arguments=True, enable_rosout=True,
                 rosout_qos_profile=qos_profile_rosout_default, start_parameter_services=True,
                 parameter_overrides=None, allow_undeclared_parameters=False,
                 automatically_declare_parameters_from_overrides=False,
                 enable_logger_service=False):
        """Create a node.

        node_name, namespace: where no command line remaps them
        cli_args: arguments of this node alone, such as ['--ros-args', '-r', '__node:=other']
        parameter_overrides: Parameters that replace defaults at declaration
        allow_undeclared_parameters: reading and setting need no declaration
        automatically_declare_parameters_from_overrides: declare all overrides now
        """
        self._context = get_default_context() if context is None else context
        if not self._context.ok():
            raise NotInitializedException('cannot create node')
        self._arguments = parse_arguments(cli_args or [])
        if use_global_arguments:
            self._arguments = self._arguments.chained(self._context.arguments)
        self._set_names(node_name, namespace or '')
        self._publishers, self._subscriptions, self._clients = [], [], []
        self._services, self._timers, self._guards, self._waitables = [], [], [], []
        self._rates, self._executor_reference, self._entity_changes = [], None, 0
        self._default_callback_group = MutuallyExclusiveCallbackGroup()
        self._rate_group = ReentrantCallbackGroup()
        self._graph = self._context.graph
        self._handle = Handle(self._NodeEnd(self))
        self._context.track_node(self)
        self._logger = get_logger(self._logger_name())
        self._clock = ROSClock()
        overrides = self._arguments.parameter_overrides(self._name, self._namespace)
        overrides.update({parameter.name: parameter for parameter in parameter_overrides or []})
        self._init_parameters(overrides, allow_undeclared_parameters)
        with self._graph.announcing():
            self._graph_node = self._graph.add_node(self._name, self._namespace)
            try:
                self._start(
                    enable_rosout and self._arguments.rosout_enabled and rosout_qos_profile,
                    automatically_declare_parameters_from_overrides, start_parameter_services,
                    enable_logger_service)
            except BaseException:
                self.destroy_node()
                raise

    def _start(self, rosout_qos_profile, declare_overrides, start_parameter_services,
               enable_logger_service):
        """Bring up what every node has."""
        self._rosout = start_rosout(self, rosout_qos_profile) if rosout_qos_profile else None
        from rcl_interfaces.msg import ParameterEvent
        self._parameter_event_publisher = self.create_publisher(
            ParameterEvent, '/parameter_events', qos_profile_parameter_events)
        if declare_overrides:
            from rcl_interfaces.msg import ParameterDescriptor
            self.declare_parameters('', [
                (name, parameter.value, ParameterDescriptor())
                for name, parameter in self._parameter_overrides.items()], ignore_override=True)
        self._time_source = TimeSource(node=self)
        self._time_source.attach_clock(self._clock)
        if start_parameter_services:
            from rclpy.parameter_service import ParameterService
            self._parameter_service = ParameterService(self)
        if enable_logger_service:
            from rclpy.logging_service import LoggingService
            self._logger_service = LoggingService(self)
        self._type_description_service = TypeDescriptionService(self)

    def _set_names(self, name, namespace):
        name = self._arguments.node_name(name)
        if not namespace.startswith('/'):
            namespace = '/' + namespace
        namespace = self._arguments.namespace(name, namespace)
        validate_node_name(name)
        validate_namespace(namespace)
        self._name, self._namespace = name, namespace

    def _logger_name(self):
        return self.get_fully_qualified_name()[1:].replace('/', '.')

    class _NodeEnd:
        """What the node's handle closes: its place in the graph."""

        def __init__(self, node):
            self._node = weakref.ref(node)

        def close(self):
            node = self._node()
            if node is not None:
                node._leave_graph()

    def _leave_graph(self):
        if getattr(self, '_graph_node', None) is not None:
            self._graph.remove_node(self._graph_node)
        self._context.untrack_node(self)

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.destroy_node()

    # What it is

    @property
    def handle(self):
        return self._handle

    @property
    def context(self):
        """The context that the node lives in."""
        return self._context

    @property
    def default_callback_group(self):
        """The (mutually exclusive) group of entities that are given no other."""
        return self._default_callback_group

    @property
    def executor(self):
        """The executor that the node was added to last, or None."""
        return self._executor_reference and self._executor_reference()

    @executor.setter
    def executor(self, new_executor):
        current = self.executor
        if current == new_executor:
            return
        if current is not None:
            current.remove_node(self)
        if new_executor is None:
            self._executor_reference = None
        elif new_executor.add_node(self) or self in new_executor.get_nodes():
            self._executor_reference = weakref.ref(new_executor)

    def _changed(self):
        """Let executors see that there are more or fewer entities."""
        self._entity_changes += 1
        self._wake_executor()

    def _wake_executor(self):
        executor = self.executor
        if executor is not None:
            executor.wake()

    def get_name(self):
        """The name, remapped, without namespace."""
        return self._name

    def get_namespace(self):
        """The namespace, remapped; '/' for the root."""
        return self._namespace

    def get_fully_qualified_name(self):
        """Namespace and name."""
        return f'{self._namespace.rstrip("/")}/{self._name}'

    def get_clock(self):
        """The ROS clock of the node."""
        return self._clock

    def get_logger(self):
        """The logger named after the node."""
        return self._logger

    def resolve_topic_name(self, topic, *, only_expand=False):
        """The full name of a topic as this node sees it: expanded and remapped."""
        return self._resolve(topic, only_expand, self._arguments.remap_topic)

    def resolve_service_name(self, service, *, only_expand=False):
        """The full name of a service as this node sees it: expanded and remapped."""
        return self._resolve(service, only_expand, self._arguments.remap_service)

    def _resolve(self, name, only_expand, remap):
        with self.handle:
            try:
                full = self._expanded(name)
                validate_full_topic_name(full)
            except (ValueError, NameValidationException) as error:
                raise RCLError(f"Failed to resolve name '{name}': {error}") from error
            return full if only_expand else remap(full, self._name, self._namespace)

    def _expanded(self, name):
        return expand_topic_name(name, self._name, self._namespace)

    def _full(self, name, remap, is_service=False):
        """The name that an entity gets; the exceptions of create_publisher and the like."""
        with self.handle:
            validate_topic_name(name, is_service=is_service)
            full = remap(self._expanded(name), self._name, self._namespace)
            validate_full_topic_name(full, is_service=is_service)
            return full

    # Entities

    @property
    def publishers(self):
        yield from self._publishers

    @property
    def subscriptions(self):
        yield from self._subscriptions

    @property
    def clients(self):
        yield from self._clients

    @property
    def services(self):
        yield from self._services

    @property
    def timers(self):
        yield from self._timers

    @property
    def guards(self):
        yield from self._guards

    @property
    def waitables(self):
        yield from self._waitables

    @staticmethod
    def _profile(qos_profile):
        """A QoSProfile from itself or a depth."""
        if isinstance(qos_profile, QoSProfile):
            return qos_profile
        if isinstance(qos_profile, int):
            if qos_profile < 0:
                raise ValueError('history depth must be greater than or equal to zero')
            return QoSProfile(depth=qos_profile)
        raise TypeError('Expected QoSProfile or int, but received {!r}'.format(type(qos_profile)))

    def _topic(self, msg_type, topic, qos_profile, overriding, kind):
        """(full name, DDS name, QoS profile) for a new publisher or subscription."""
        profile = self._profile(qos_profile)
        check_is_valid_msg_type(msg_type)
        name = self._full(topic, self._arguments.remap_topic)
        if overriding is not None and overriding.policy_kinds:
            from rclpy.qos_overriding_options import _declare_qos_parameters
            profile = copy.copy(profile)  # it is changed, and may be a ready-made one
            _declare_qos_parameters(kind, self, name, profile, overriding)
        plain = profile.avoid_ros_namespace_conventions
        return name, name.lstrip('/') if plain else dds_topic_name(name), profile

    def create_publisher(self, msg_type, topic, qos_profile, *, callback_group=None,
                         event_callbacks=None, qos_overriding_options=None,
                         publisher_class=Publisher):
        """A Publisher of messages of a type on a topic; qos_profile may be the depth alone."""
        name, dds_name, profile = self._topic(
            msg_type, topic, qos_profile, qos_overriding_options, Publisher)
        handle = Handle(create_writer(self._context, dds_name, msg_type, profile))
        publisher = publisher_class(
            handle, msg_type, name, profile, event_callbacks or PublisherEventCallbacks(),
            callback_group or self._default_callback_group, self._context)
        self._keep(self._publishers, publisher, writers=[handle.middleware.gid])
        return publisher

    def create_subscription(self, msg_type, topic, callback, qos_profile, *, callback_group=None,
                            event_callbacks=None, qos_overriding_options=None, raw=False):
        """A Subscription that calls callback(message), or callback(message, info).

        With raw=True the callback gets the serialized bytes.
        """
        name, dds_name, profile = self._topic(
            msg_type, topic, qos_profile, qos_overriding_options, Subscription)
        group = callback_group or self._default_callback_group
        handle = Handle(create_reader(self._context, dds_name, msg_type, profile))
        try:
            subscription = Subscription(
                handle, msg_type, name, callback, group, profile, raw,
                event_callbacks or SubscriptionEventCallbacks())
        except BaseException:
            handle.destroy_when_not_in_use()
            raise
        group.add_entity(subscription)
        self._keep(self._subscriptions, subscription, readers=[handle.middleware.gid])
        return subscription

    def create_client(self, srv_type, srv_name, *, qos_profile=qos_profile_services_default,
                      callback_group=None):
        """A Client of a service."""
        check_is_valid_srv_type(srv_type)
        name = self._full(srv_name, self._arguments.remap_service, is_service=True)
        handle = Handle(create_client(self._context, name, srv_type, qos_profile))
        group = callback_group or self._default_callback_group
        client = Client(self._context, handle, srv_type, srv_name, qos_profile, group)
        group.add_entity(client)
        self._keep(self._clients, client, *_gids(handle))
        return client

    def create_service(self, srv_type, srv_name, callback, *,
                       qos_profile=qos_profile_services_default, callback_group=None):
        """A Service that answers with what callback(request, response) returns."""
        check_is_valid_srv_type(srv_type)
        name = self._full(srv_name, self._arguments.remap_service, is_service=True)
        handle = Handle(create_service(self._context, name, srv_type, qos_profile))
        group = callback_group or self._default_callback_group
        service = Service(handle, srv_type, srv_name, callback, group, qos_profile)
        group.add_entity(service)
        self._keep(self._services, service, *_gids(handle))
        return service

    def create_timer(self, timer_period_sec, callback, callback_group=None, clock=None,
                     autostart=True):
        """A Timer that calls back every so many seconds of the clock (default: the node's)."""
        with self.handle:
            group = callback_group or self._default_callback_group
            timer = Timer(callback, group, int(float(timer_period_sec) * S_TO_NS),
                          clock or self._clock, context=self._context, autostart=autostart)
        timer._wake = self._wake_executor
        group.add_entity(timer)
        self._keep(self._timers, timer)
        return timer

    def create_guard_condition(self, callback, callback_group=None):
        """A GuardCondition whose trigger() lets an executor call back."""
        with self.handle:
            group = callback_group or self._default_callback_group
            guard = GuardCondition(callback, group, context=self._context)
        guard.add_waker(self._wake_executor)
        group.add_entity(guard)
        self._keep(self._guards, guard)
        return guard

    def create_rate(self, frequency, clock=None):
        """A Rate whose sleep() keeps a loop at `frequency` [1/s]."""
        if frequency <= 0:
            raise ValueError('frequency must be > 0')
        timer = self.create_timer(1.0 / frequency, lambda: None, self._rate_group, clock)
        rate = Rate(timer, context=self._context)
        self._rates.append(rate)
        return rate

    def add_waitable(self, waitable):
        """Let executors of this node serve a Waitable as well."""
        self._waitables.append(waitable)
        self._changed()

    def remove_waitable(self, waitable):
        self._waitables.remove(waitable)
        self._changed()

    def _keep(self, entities, entity, readers=(), writers=()):
        """Enter a new entity and its endpoints in the books, and let an executor see it."""
        entities.append(entity)
        for handler in getattr(entity, 'event_handlers', ()):
            self._waitables.append(handler)
        if readers or writers:
            with self._graph.announcing():
                self._graph_node.readers.extend(readers)
                self._graph_node.writers.extend(writers)
        self._changed()

    # The end of entities

    def _drop(self, entities, entity):
        """Destroy an entity; False where it is none of this node's."""
        if entity not in entities:
            return False
        entities.remove(entity)
        for handler in getattr(entity, 'event_handlers', ()):
            if handler in self._waitables:
                self._waitables.remove(handler)
        handle = entity.handle
        if isinstance(handle, Handle) and handle.valid:
            readers, writers = _gids(handle)
            entity.destroy()
            with self._graph.announcing():
                node = self._graph_node
                node.readers = [gid for gid in node.readers if gid not in readers]
                node.writers = [gid for gid in node.writers if gid not in writers]
        else:
            entity.destroy()
        self._changed()
        return True

    def destroy_publisher(self, publisher):
        """Destroy a publisher of this node; whether it was one."""
        return self._drop(self._publishers, publisher)

    def destroy_subscription(self, subscription):
        """Destroy a subscription of this node; whether it was one."""
        return self._drop(self._subscriptions, subscription)

    def destroy_client(self, client):
        """Destroy a client of this node; whether it was one."""
        return self._drop(self._clients, client)

    def destroy_service(self, service):
        """Destroy a service of this node; whether it was one."""
        return self._drop(self._services, service)

    def destroy_timer(self, timer):
        """Destroy a timer of this node; whether it was one."""
        return self._drop(self._timers, timer)

    def destroy_guard_condition(self, guard):
        """Destroy a guard condition of this node; whether it was one."""
        return self._drop(self._guards, guard)

    def destroy_rate(self, rate):
        """Destroy a rate of this node; whether it was one."""
        if rate not in self._rates:
            return False
        self._rates.remove(rate)
        self._drop(self._timers, rate._timer)
        rate.destroy()
        return True

    def destroy_node(self):
        """Destroy all entities and leave the graph; a second time nothing happens."""
        if not self._handle.valid:
            return
        executor = self.executor
        if executor is not None:
            executor.remove_node(self)
        with self._graph.announcing():
            stop_rosout(self)
            for rate in list(self._rates):
                self.destroy_rate(rate)
            for entities in (self._publishers, self._subscriptions, self._clients,
                             self._services, self._timers, self._guards):
                for entity in list(entities):
                    self._drop(entities, entity)
        self._waitables.clear()
        self._handle.destroy_when_not_in_use()


def _gids(handle):
    """The gids of an entity's readers and of its writers."""
    middleware = handle.middleware
    if hasattr(middleware, 'take_request') or hasattr(middleware, 'take_reply'):
        return [middleware.reader.gid], [middleware.writer.gid]
    return ([middleware.gid], []) if hasattr(middleware, 'take') else ([], [middleware.gid])
