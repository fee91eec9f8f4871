"""An entity which does something when it is visited."""

from .conditions import Condition
from .launch_context import LaunchContext
from .launch_description_entity import LaunchDescriptionEntity


class Action(LaunchDescriptionEntity):
    """Base of all actions: subclasses override execute()."""

    def __init__(self, *, condition: Condition | None = None) -> None:
        self.__condition = condition

    @staticmethod
    def parse(entity, parser) -> tuple[type, dict]:
        """Return (Action, keyword arguments) from an XML or YAML element: if, unless."""
        from .conditions import IfCondition, UnlessCondition
        if_text = entity.get_attr('if', data_type=bool, optional=True, can_be_str=True)
        unless_text = entity.get_attr('unless', data_type=bool, optional=True, can_be_str=True)
        if if_text is not None and unless_text is not None:
            raise RuntimeError("if and unless conditions can't be used simultaneously")
        kwargs: dict = {}
        if if_text is not None:
            kwargs['condition'] = IfCondition(parser.parse_substitution(str(if_text)))
        if unless_text is not None:
            kwargs['condition'] = UnlessCondition(
                parser.parse_substitution(str(unless_text)))
        return Action, kwargs

    @property
    def condition(self) -> Condition | None:
        """The condition on which this action is executed."""
        return self.__condition

    def describe(self) -> str:
        return self.__repr__()

    def visit(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Execute if the condition allows it, and notify what waits for its end."""
        from .events import ExecutionComplete
        if self.__condition is not None and not self.__condition.evaluate(context):
            return None
        try:
            return self.execute(context)
        finally:
            self._announce_end(context, ExecutionComplete(action=self))

    def _announce_end(self, context: LaunchContext, event) -> None:
        if not context.would_handle_event(event):
            return
        handled = context.get_locals_as_dict().get('event')
        if isinstance(handled, type(event)) and handled.action is self:
            return          # it reacts to its own end: that must not go on for ever
        future = self.get_asyncio_future()
        if future is None:
            context.emit_event_sync(event)
        else:
            future.add_done_callback(lambda _: context.emit_event_sync(event))

    def execute(self, context: LaunchContext) -> list[LaunchDescriptionEntity] | None:
        """Do what this action is for; return further entities to visit, if any."""
