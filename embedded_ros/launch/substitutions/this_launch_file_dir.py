"""The folder of the launch file being loaded."""

from ..frontend.expose import expose_substitution
from ..substitution import Substitution
from .described import exactly
from .substitution_failure import SubstitutionFailure


@expose_substitution('dirname')
class ThisLaunchFileDir(Substitution):
    """The folder of the launch file in which this stands."""

    @classmethod
    def parse(cls, data):
        exactly('dirname', data, 0)
        return cls, {}

    def describe(self) -> str:
        return 'ThisLaunchFileDir()'

    def perform(self, context) -> str:
        path = context.get_locals_as_dict().get('current_launch_file_directory')
        if path is None:
            raise SubstitutionFailure(
                'ThisLaunchFileDir used outside of a launch file (in a script)')
        return path
