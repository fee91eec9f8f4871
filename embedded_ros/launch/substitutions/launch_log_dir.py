"""The log directory of this launch."""

from ..frontend.expose import expose_substitution
from ..logging import launch_config
from ..substitution import Substitution
from .described import exactly


@expose_substitution('launch_log_dir')
@expose_substitution('log_dir')
class LaunchLogDir(Substitution):
    """The folder of this launch's log files."""

    @classmethod
    def parse(cls, data):
        exactly('launch_log_dir', data, 0)
        return cls, {}

    def describe(self) -> str:
        return 'LaunchLogDir()'

    def perform(self, context) -> str:
        return launch_config.log_dir
