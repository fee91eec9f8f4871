"""Where readings act in the step of a continuous filter as published."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import DivergenceError, FilterError
from mb_model import Settings, setting
from mb_model.arrays import RecordArray

AT_END = 'end'


@dataclass(frozen=True)
class FeedbackSettings(Settings):
    """Of continuous filters, where they are as published."""

    feedback: str = setting(
        'both_ends', choices=('both_ends', AT_END),
        help='Where readings act in a step, with as_published. both_ends: as the trapezoidal rule '
             'asks, the covariance by an implicit rule. end: at the end alone, by half as much, '
             'the covariance by forward Euler: less accurate, but the figures that the paper '
             'states; accurate sensors end it')


def use_feedback(steps: RecordArray, feedback: str, as_published: bool) -> None:
    """Write the setting of a name to the records of the steps, if they are as published.

    Raises FilterError where they are not, for what is of published ones.
    """
    if as_published:
        steps['at_end'] = feedback == AT_END
    elif feedback == AT_END:
        raise FilterError(f'feedback: {feedback}: as_published is false, expected true, or '
                          'feedback: both_ends')


def explained(stepped: bool, steps: RecordArray, dt: float) -> bool:
    """Return whether a step of dt [s] was made: `stepped`, as its kernel says.

    Raises DivergenceError if it failed because forward Euler left no covariance behind.
    """
    if not stepped and steps['at_end'][0] == 1 and np.linalg.eigvalsh(steps['P'][0])[0] <= 0.0:
        raise DivergenceError(
            f'feedback: {AT_END}: in a step of {dt:g} s the readings take more than all '
            'uncertainty away; expected shorter steps, less accurate sensors, or feedback: '
            'both_ends')
    return stepped
