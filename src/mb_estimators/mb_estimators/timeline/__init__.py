"""Times in whole nanoseconds: stamps in words, inputs over time, predictions between stamps."""

from mb_estimators.timeline.inputs import HeldInputs
from mb_estimators.timeline.read_inputs import COMMANDS, READINGS, ReadInputs, inputs_class
from mb_estimators.timeline.stamps import seconds
from mb_estimators.timeline.steps import arrive, predict_between, steps_between

__all__ = ['COMMANDS', 'READINGS', 'HeldInputs', 'ReadInputs', 'arrive', 'inputs_class',
           'predict_between', 'seconds', 'steps_between']
