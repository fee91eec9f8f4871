"""A launch description is to be included."""
from ..event import Event


class IncludeLaunchDescription(Event):
    """Emitted to include a launch description in the running launch."""

    name = 'launch.events.IncludeLaunchDescription'

    def __init__(self, launch_description) -> None:
        self.__launch_description = launch_description

    @property
    def launch_description(self):
        return self.__launch_description
