"""Return to the environment the launch was started in."""
from ..action import Action
from ..frontend.expose import expose_action


@expose_action('reset_env')
class ResetEnvironment(Action):
    """Return to the environment the launch was started in."""

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        return cls, kwargs

    def execute(self, context) -> None:
        context._reset_environment()
