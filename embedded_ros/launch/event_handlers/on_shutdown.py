"""React to the end of the launch."""
from ..event_handler import BaseEventHandler
from ..events import Shutdown
from .on_action_event_base import check_entities


class OnShutdown(BaseEventHandler):
    """Runs on_shutdown (entities, or a function of event and context) at a Shutdown event."""

    def __init__(self, *, on_shutdown, **kwargs) -> None:
        super().__init__(matcher=lambda event: isinstance(event, Shutdown), **kwargs)
        self.__on_shutdown = check_entities(on_shutdown)

    def handle(self, event, context):
        super().handle(event, context)
        if callable(self.__on_shutdown):
            return self.__on_shutdown(event, context)
        return self.__on_shutdown

    def describe(self):
        text, _ = super().describe()
        return text, [] if callable(self.__on_shutdown) else self.__on_shutdown

    @property
    def matcher_description(self):
        return 'event issubclass of launch.events.Shutdown'

    @property
    def handler_description(self):
        return f'{self.__on_shutdown}' if callable(self.__on_shutdown) else '<actions>'
