"""Nodes."""
import copy
import weakref

from embedded_ros.dds.names import dds_topic_name

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup, ReentrantCallbackGroup
from rclpy.client import Client
from rclpy.clock import ROSClock
from rclpy.constants import S_TO_NS
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.exceptions import NotInitializedException
from rclpy.guard_condition import GuardCondition
from rclpy.impl import middleware
from rclpy.impl.arguments import parse_arguments
from rclpy.impl.changes import entity_changes
from rclpy.impl.entity_handles import ClientHandle, PublisherHandle, ServiceHandle
from rclpy.impl.node_graph import NodeGraph
from rclpy.impl.node_handle import NodeHandle
from rclpy.impl.node_parameters import PARAMETER_SEPARATOR_STRING, NodeParameters
from rclpy.impl.own_attributes import OwnAttributes
from rclpy.impl.rosout import start_rosout, stop_rosout
from rclpy.impl.subscription_handle import SubscriptionHandle
from rclpy.logging import get_logger
from rclpy.publisher import Publisher
from rclpy.qos import (
    qos_profile_parameter_events,
    qos_profile_rosout_default,
    qos_profile_services_default,
)
from rclpy.service import Service
from rclpy.subscription import Subscription
from rclpy.time_source import TimeSource
from rclpy.timer import Rate, Timer
from rclpy.type_description_service import TypeDescriptionService
from rclpy.type_support import check_for_type_support
from rclpy.utilities import get_default_context

__all__ = ['HIDDEN_NODE_PREFIX', 'PARAMETER_SEPARATOR_STRING', 'Node', 'check_for_type_support']

HIDDEN_NODE_PREFIX = '_'


class Node(OwnAttributes, NodeGraph, NodeParameters):
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
        arguments = parse_arguments(cli_args or [])
        if use_global_arguments:
            arguments = arguments.chained(self._context.arguments)
        self._publishers, self._subscriptions, self._clients = [], [], []
        self._services, self._timers, self._guards, self.__waitables = [], [], [], []
        self.__rates, self.__executor_weakref = [], None
        self._default_callback_group = MutuallyExclusiveCallbackGroup()
        self._rate_group = ReentrantCallbackGroup()
        self.__handle = NodeHandle(self._context, arguments, node_name, namespace or '')
        self._logger = get_logger(self.__handle.full_name[1:].replace('/', '.'))
        self._clock = ROSClock()
        overrides = arguments.parameter_overrides(self.__handle.name, self.__handle.namespace)
        overrides.update({parameter.name: parameter for parameter in parameter_overrides or []})
        NodeParameters.__init__(self, overrides, allow_undeclared_parameters)
        with self.__handle.graph.announcing():
            try:
                self.__handle.announce()
                self.__start(
                    enable_rosout and arguments.rosout_enabled and rosout_qos_profile,
                    automatically_declare_parameters_from_overrides, start_parameter_services,
                    enable_logger_service)
            except BaseException:
                self.destroy_node()
                raise

    def __start(self, rosout_qos_profile, declare_overrides, start_parameter_services,
               enable_logger_service):
        """Bring up what every node has."""
        if rosout_qos_profile:
            start_rosout(self, rosout_qos_profile)
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
            LoggingService(self)
        self._type_description_service = TypeDescriptionService(self)

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.destroy_node()

    # What it is

    @property
    def handle(self):
        return self.__handle

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
        return self.__executor_weakref and self.__executor_weakref()

    @executor.setter
    def executor(self, new_executor):
        current = self.executor
        if current == new_executor:
            return
        if current is not None:
            current.remove_node(self)
        if new_executor is None:
            self.__executor_weakref = None
        elif new_executor.add_node(self) or self in new_executor.get_nodes():
            self.__executor_weakref = weakref.ref(new_executor)

    def __changed(self):
        """Let executors see that there are more or fewer entities."""
        entity_changes.count += 1
        self._wake_executor()

    def _wake_executor(self):
        executor = self.executor
        if executor is not None:
            executor.wake()

    def get_name(self):
        """The name, remapped, without namespace."""
        self.__handle.middleware  # noqa: B018  raises after destroy_node()
        return self.__handle.name

    def get_namespace(self):
        """The namespace, remapped; '/' for the root."""
        self.__handle.middleware  # noqa: B018  raises after destroy_node()
        return self.__handle.namespace

    def get_fully_qualified_name(self):
        """Namespace and name."""
        self.__handle.middleware  # noqa: B018  raises after destroy_node()
        return self.__handle.full_name

    def get_clock(self):
        """The ROS clock of the node."""
        return self._clock

    def get_logger(self):
        """The logger named after the node."""
        return self._logger

    def resolve_topic_name(self, topic, *, only_expand=False):
        """The full name of a topic as this node sees it: expanded and remapped."""
        return self.__handle.resolved_name(topic, only_expand, is_service=False)

    def resolve_service_name(self, service, *, only_expand=False):
        """The full name of a service as this node sees it: expanded and remapped."""
        return self.__handle.resolved_name(service, only_expand, is_service=True)

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
        yield from self.__waitables

    def __topic(self, topic, qos_profile, overriding, kind):
        """(full name, DDS name, QoS profile) for a new publisher or subscription."""
        profile = middleware.profile_of(qos_profile)
        name = self.__handle.entity_name(topic)
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
        name, dds_name, profile = self.__topic(
            topic, qos_profile, qos_overriding_options, Publisher)
        handle = PublisherHandle(
            middleware.create_writer(self._context, dds_name, msg_type, profile), name,
            self._logger.name)
        publisher = publisher_class(
            handle, msg_type, name, profile, event_callbacks or PublisherEventCallbacks(),
            callback_group or self._default_callback_group, self._context)
        self.__keep(self._publishers, publisher)
        return publisher

    def create_subscription(self, msg_type, topic, callback, qos_profile, *, callback_group=None,
                            event_callbacks=None, qos_overriding_options=None, raw=False):
        """A Subscription that calls callback(message), or callback(message, info).

        With raw=True the callback gets the serialized bytes.
        """
        name, dds_name, profile = self.__topic(
            topic, qos_profile, qos_overriding_options, Subscription)
        group = callback_group or self._default_callback_group
        handle = SubscriptionHandle(
            middleware.create_reader(self._context, dds_name, msg_type, profile), name,
            self._logger.name)
        try:
            subscription = Subscription(
                handle, msg_type, name, callback, group, profile, raw,
                event_callbacks or SubscriptionEventCallbacks())
        except BaseException:
            handle.destroy_when_not_in_use()
            raise
        group.add_entity(subscription)
        self.__keep(self._subscriptions, subscription)
        return subscription

    def create_client(self, srv_type, srv_name, *, qos_profile=qos_profile_services_default,
                      callback_group=None):
        """A Client of a service."""
        name = self.__handle.entity_name(srv_name, is_service=True)
        handle = ClientHandle(
            middleware.create_client(self._context, name, srv_type, qos_profile), self.__handle)
        group = callback_group or self._default_callback_group
        client = Client(self._context, handle, srv_type, srv_name, qos_profile, group)
        group.add_entity(client)
        self.__keep(self._clients, client)
        return client

    def create_service(self, srv_type, srv_name, callback, *,
                       qos_profile=qos_profile_services_default, callback_group=None):
        """A Service that answers with what callback(request, response) returns."""
        name = self.__handle.entity_name(srv_name, is_service=True)
        handle = ServiceHandle(
            middleware.create_service(self._context, name, srv_type, qos_profile), self.__handle)
        group = callback_group or self._default_callback_group
        service = Service(handle, srv_type, srv_name, callback, group, qos_profile)
        group.add_entity(service)
        self.__keep(self._services, service)
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
        self.__keep(self._timers, timer)
        return timer

    def create_guard_condition(self, callback, callback_group=None):
        """A GuardCondition whose trigger() lets an executor call back."""
        with self.handle:
            group = callback_group or self._default_callback_group
            guard = GuardCondition(callback, group, context=self._context)
        guard.add_waker(self._wake_executor)
        group.add_entity(guard)
        self.__keep(self._guards, guard)
        return guard

    def create_rate(self, frequency, clock=None):
        """A Rate whose sleep() keeps a loop at `frequency` [1/s]."""
        if frequency <= 0:
            raise ValueError('frequency must be > 0')
        timer = self.create_timer(1.0 / frequency, lambda: None, self._rate_group, clock)
        rate = Rate(timer, context=self._context)
        self.__rates.append(rate)
        return rate

    def add_waitable(self, waitable):
        """Let executors of this node serve a Waitable as well."""
        self.__waitables.append(waitable)
        self.__changed()

    def remove_waitable(self, waitable):
        self.__waitables.remove(waitable)
        self.__changed()

    def __keep(self, entities, entity):
        """Enter a new entity and its endpoints in the books, and let an executor see it."""
        entities.append(entity)
        entity.logger_name = self._logger.name
        for handler in getattr(entity, 'event_handlers', ()):
            self.__waitables.append(handler)
        if entity.handle.middleware is not None:
            self.__handle.add_endpoints(entity.handle)
        self.__changed()

    # The end of entities

    def __drop(self, entities, entity):
        """Destroy an entity; False where it is none of this node's."""
        if entity not in entities:
            return False
        entities.remove(entity)
        for handler in getattr(entity, 'event_handlers', ()):
            if handler in self.__waitables:
                self.__waitables.remove(handler)
        was_valid = entity.handle.valid
        entity.destroy()
        self.__changed()
        return was_valid

    def destroy_publisher(self, publisher):
        """Destroy a publisher of this node; whether it was one."""
        return self.__drop(self._publishers, publisher)

    def destroy_subscription(self, subscription):
        """Destroy a subscription of this node; whether it was one."""
        return self.__drop(self._subscriptions, subscription)

    def destroy_client(self, client):
        """Destroy a client of this node; whether it was one."""
        return self.__drop(self._clients, client)

    def destroy_service(self, service):
        """Destroy a service of this node; whether it was one."""
        return self.__drop(self._services, service)

    def destroy_timer(self, timer):
        """Destroy a timer of this node; whether it was one."""
        return self.__drop(self._timers, timer)

    def destroy_guard_condition(self, guard):
        """Destroy a guard condition of this node; whether it was one."""
        return self.__drop(self._guards, guard)

    def destroy_rate(self, rate):
        """Destroy a rate of this node; whether it was one."""
        if rate not in self.__rates:
            return False
        self.__rates.remove(rate)
        self.__drop(self._timers, rate._timer)
        rate.destroy()
        return True

    def destroy_node(self):
        """Destroy all entities and leave the graph; a second time nothing happens."""
        if not self.__handle.valid:
            return
        with self.__handle.graph.announcing():
            stop_rosout(self)
            for rate in list(self.__rates):
                self.destroy_rate(rate)
            for entities in (self._publishers, self._subscriptions, self._clients,
                             self._services, self._timers, self._guards):
                for entity in list(entities):
                    self.__drop(entities, entity)
        self.__waitables.clear()
        self.__handle.destroy_when_not_in_use()
        self.__changed()

