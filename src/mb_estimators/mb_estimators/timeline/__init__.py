"""Times in whole nanoseconds: stamps in words, inputs over time, predictions between stamps."""

from mb_estimators.timeline.inputs import HeldInputs
from mb_estimators.timeline.stamps import seconds
from mb_estimators.timeline.steps import even_steps, predict_between

__all__ = ['HeldInputs', 'even_steps', 'predict_between', 'seconds']
