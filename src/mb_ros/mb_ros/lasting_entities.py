"""What a node is made of before it is configured."""

from collections.abc import Callable
from typing import Any

from rclpy.lifecycle import LifecyclePublisher
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.time_source import CLOCK_TOPIC


class LastingEntities:
    """The publishers, subscriptions, services, timers... that a managed node has by now."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._lasting = set(map(id, self._entities()))

    def destroy_others(self) -> None:
        """Destroy everything that the node has been given since."""
        for entity, destroy in list(self._entities().items()):
            lasts = id(entity) in self._lasting
            # `use_sim_time`, set since, may have made a subscription.
            if not lasts and getattr(entity, 'topic_name', '') != CLOCK_TOPIC:
                destroy(entity)

    def _entities(self) -> dict[Any, Callable[[Any], object]]:
        """Return what the node is made of, each with the method that destroys it."""
        node = self._node
        return {entity: destroy for entities, destroy in (
            (node.publishers, self._destroy_publisher),
            (node.subscriptions, node.destroy_subscription),
            (node.clients, node.destroy_client), (node.services, node.destroy_service),
            (node.timers, node.destroy_timer), (node.guards, node.destroy_guard_condition),
        ) for entity in entities}

    def _destroy_publisher(self, publisher: Publisher) -> None:
        if isinstance(publisher, LifecyclePublisher):
            self._node.destroy_lifecycle_publisher(publisher)     # type: ignore[attr-defined]
        else:
            self._node.destroy_publisher(publisher)
