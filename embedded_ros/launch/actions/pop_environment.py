"""Put the environment back as it was remembered."""
from ..action import Action
from ..frontend.expose import expose_action


@expose_action('pop_env')
class PopEnvironment(Action):
    """Put the environment back as it was remembered."""

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        return cls, kwargs

    def execute(self, context) -> None:
        context._pop_environment()
