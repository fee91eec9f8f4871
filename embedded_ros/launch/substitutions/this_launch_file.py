"""The path of the launch file being loaded."""

from ..frontend.expose import expose_substitution
from ..substitution import Substitution
from .described import exactly
from .substitution_failure import SubstitutionFailure


@expose_substitution('filename')
class ThisLaunchFile(Substitution):
    """The launch file in which this stands."""

    @classmethod
    def parse(cls, data):
        exactly('filename', data, 0)
        return cls, {}

    def describe(self) -> str:
        return 'ThisLaunchFile()'

    def perform(self, context) -> str:
        path = context.get_locals_as_dict().get('current_launch_file_path')
        if path is None:
            raise SubstitutionFailure('ThisLaunchFile used outside of a launch file (in a script)')
        return path
