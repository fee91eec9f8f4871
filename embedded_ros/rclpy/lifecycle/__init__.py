"""Managed nodes: nodes with the states unconfigured, inactive, active and finalized."""
from rclpy.lifecycle.managed_entity import ManagedEntity, SimpleManagedEntity
from rclpy.lifecycle.node import LifecycleNode, LifecycleNodeMixin, LifecycleState
from rclpy.lifecycle.publisher import LifecyclePublisher
from rclpy.lifecycle.state_machine import TransitionCallbackReturn

Node = LifecycleNode
Publisher = LifecyclePublisher
State = LifecycleState

__all__ = [
    'LifecycleNode', 'LifecycleNodeMixin', 'LifecyclePublisher', 'LifecycleState',
    'ManagedEntity', 'Node', 'Publisher', 'SimpleManagedEntity', 'State',
    'TransitionCallbackReturn']
