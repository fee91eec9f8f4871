"""Forget launch configurations."""

from ..action import Action
from ..frontend.expose import expose_action
from ..some_substitutions_type import SomeSubstitutionsMapping
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_action('reset')
class ResetLaunchConfigurations(Action):
    """Removes all launch configurations but the given ones, for what follows in this scope."""

    def __init__(self, launch_configurations: SomeSubstitutionsMapping | None = None,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.__launch_configurations = [
            (normalize_to_list_of_substitutions(name), normalize_to_list_of_substitutions(value))
            for name, value in (launch_configurations or {}).items()]

    @classmethod
    def parse(cls, entity, parser):
        from .set_launch_configuration import SetLaunchConfiguration
        _, kwargs = super().parse(entity, parser)
        kept = entity.get_attr('keep', data_type=list, optional=True) or []
        kwargs['launch_configurations'] = {}
        for keep in kept:
            _, item = SetLaunchConfiguration.parse(keep, parser)
            keep.assert_entity_completely_parsed()
            kwargs['launch_configurations'][tuple(item['name'])] = item['value']
        return cls, kwargs

    @property
    def launch_configurations(self):
        return self.__launch_configurations

    def execute(self, context) -> None:
        kept = {perform_substitutions(context, name): perform_substitutions(context, value)
                for name, value in self.__launch_configurations}
        context.launch_configurations.clear()
        context.launch_configurations.update(kept)
