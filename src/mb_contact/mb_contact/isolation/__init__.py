"""Which body is touched, where and how hard, or what is clamped: hypotheses with probabilities."""

from mb_contact.isolation.hypothesis import Hypothesis, Touch
from mb_contact.isolation.isolation import ContactIsolation, Isolation
from mb_contact.isolation.isolation_settings import IsolationSettings
from mb_contact.isolation.surfaces import shaped_bodies

__all__ = ['ContactIsolation', 'Hypothesis', 'Isolation', 'IsolationSettings', 'Touch',
           'shaped_bodies']
