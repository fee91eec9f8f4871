"""End the launch."""

from ..events import Shutdown as ShutdownEvent
from ..events.process import ProcessExited
from ..frontend.expose import expose_action
from ..logging import get_logger
from .emit_event import EmitEvent


@expose_action('shutdown')
class Shutdown(EmitEvent):
    """Emits a Shutdown event; as on_exit of a process it says that the process was required."""

    def __init__(self, *, reason: str = 'reason not given', **kwargs) -> None:
        super().__init__(event=ShutdownEvent(reason=reason), **kwargs)

    @classmethod
    def parse(cls, entity, parser):
        from ..action import Action
        _, kwargs = Action.parse(entity, parser)
        reason = entity.get_attr('reason', optional=True)
        if reason is not None:
            kwargs['reason'] = parser.escape_characters(reason)
        return cls, kwargs

    def execute(self, context) -> None:
        event = context.get_locals_as_dict().get('event')
        if isinstance(event, ProcessExited):
            get_logger('launch').info(
                f'process[{event.process_name}] was required: shutting down launched system')
        super().execute(context)
