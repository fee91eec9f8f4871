"""Put the launch configurations back as they were remembered."""
from ..action import Action
from ..frontend.expose import expose_action


@expose_action('pop_launch_configurations')
class PopLaunchConfigurations(Action):
    """Put the launch configurations back as they were remembered."""

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        return cls, kwargs

    def execute(self, context) -> None:
        context._pop_launch_configurations()
