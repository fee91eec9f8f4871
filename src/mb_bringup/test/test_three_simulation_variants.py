"""The launch file that users run, with another filter and another prototype.

Also if its processes stand still for a while, as under a debugger or a closed lid.
"""

import launch_testing
import pytest
from test_three_simulation import TestOutcome, TestRun, recorded_run

__all__ = ['TestOutcome', 'TestRun']
TOGETHER = ('prototype',), ('estimator', 'bag'), ('sensor_driver',)      # stand still
CASES = [('mujoco', 'dekf', TOGETHER), ('multibody', 'error_ekf', ())]


@pytest.mark.launch_test
@pytest.mark.whole
@pytest.mark.timeout(900)
@launch_testing.parametrize('prototype, estimator, standstills', CASES)
def generate_test_description(prototype, estimator, standstills):
    """Run ten simulated seconds, recorded."""
    return recorded_run(prototype, estimator)
