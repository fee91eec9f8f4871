"""Remember the launch configurations."""
from ..action import Action
from ..frontend.expose import expose_action


@expose_action('push_launch_configurations')
class PushLaunchConfigurations(Action):
    """Remember the launch configurations."""

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        return cls, kwargs

    def execute(self, context) -> None:
        context._push_launch_configurations()
