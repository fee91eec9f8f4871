"""What a set of sensors determines of the state of a mechanism along a motion.

The observability Gramian sums the information of every reading on the state at the start: its
inverse is the covariance of the best estimate of that state by the readings, without plant noise.
"""

from mb_estimators.observability.dead_centres import DeadCentre
from mb_estimators.observability.determined import (
    NOT_JUDGED,
    undetermined,
    undetermined_by,
    undetermined_text,
)
from mb_estimators.observability.gramian import Gramian
from mb_estimators.observability.local import LocalObservability, local_observability
from mb_estimators.observability.study import Observability, observability

__all__ = ['NOT_JUDGED', 'DeadCentre', 'Gramian', 'LocalObservability', 'Observability',
           'local_observability', 'observability', 'undetermined', 'undetermined_by',
           'undetermined_text']
