"""Carry out the inclusion of launch descriptions."""
from ..event_handler import BaseEventHandler
from ..events import IncludeLaunchDescription


class OnIncludeLaunchDescription(BaseEventHandler):
    """Visits the launch description of each IncludeLaunchDescription event."""

    def __init__(self, **kwargs) -> None:
        super().__init__(matcher=lambda event: isinstance(event, IncludeLaunchDescription),
                         **kwargs)

    def handle(self, event, context):
        super().handle(event, context)
        return event.launch_description
