"""Comparison of two texts, negated."""

from ..frontend.expose import expose_substitution
from .described import exactly
from .equals_substitution import EqualsSubstitution


@expose_substitution('not-equals')
class NotEqualsSubstitution(EqualsSubstitution):
    """'true' if the sides differ, else 'false'."""

    @classmethod
    def parse(cls, data):
        exactly('not-equals', data, 2)
        return cls, {'left': data[0], 'right': data[1]}

    def perform(self, context) -> str:
        return str(not self.equal(context)).lower()
