"""Log a message."""

from ..action import Action
from ..frontend.expose import expose_action
from ..launch_description_entity import SomeSubstitutionsType
from ..logging import get_logger
from ..substitutions.values import described
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_action('log')
class LogInfo(Action):
    """Logs a message at INFO."""

    def __init__(self, *, msg: SomeSubstitutionsType, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__msg = normalize_to_list_of_substitutions(msg)
        self.__logger = get_logger('launch.user')

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['msg'] = parser.parse_substitution(entity.get_attr('message'))
        return cls, kwargs

    def describe(self) -> str:
        return f'LogInfo({described(self.__msg)})'

    def execute(self, context) -> None:
        self.__logger.info(perform_substitutions(context, self.__msg))
