"""Which body is touched, where and how hard, or what is clamped: hypotheses with probabilities."""

from mb_contact.isolation.hypothesis import Hypothesis, Touch
from mb_contact.isolation.isolation import Isolation
from mb_contact.isolation.settings import IsolationSettings

__all__ = ['Hypothesis', 'Isolation', 'IsolationSettings', 'Touch']
