"""Remember the environment."""
from ..action import Action
from ..frontend.expose import expose_action


@expose_action('push_env')
class PushEnvironment(Action):
    """Remember the environment."""

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        return cls, kwargs

    def execute(self, context) -> None:
        context._push_environment()
