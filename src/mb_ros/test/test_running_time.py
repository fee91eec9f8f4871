"""Time of a process that stands still, works, or is stopped."""

import os
import signal
import subprocess
import sys
import time

from hypothesis import given, strategies as st
import pytest

from mb_ros import running_time
from mb_ros.running_time import LONGEST, RunningTime

STOPPED = 2.5       # [s]
LOOKER = """
import time
from mb_ros.running_time import RunningTime
begin, clock, still = time.monotonic(), RunningTime(), 0.0
print('looks', flush=True)
while time.monotonic() < begin + 3.5:
    time.sleep(0.05)
    now = clock.now()
    still = max(still, clock.stood_still)
print(time.monotonic() - begin - now, still)
"""


@given(looks=st.lists(st.tuples(st.floats(0.0, 1e5), st.floats(0.0, 1.0)), max_size=50))
def test_it_never_runs_ahead_nor_back_and_passes_over_standstills(looks):
    with pytest.MonkeyPatch.context() as patch:
        wall, worked, before = [0.0], [0.0], 0.0
        patch.setattr(running_time.time, 'monotonic', lambda: wall[0])
        patch.setattr(running_time.time, 'process_time', lambda: worked[0])
        clock = RunningTime()
        for passed, share in looks:
            wall[0] += passed
            worked[0] += share * passed
            now = clock.now()
            grown, before = now - before, now
            if passed <= LONGEST or share > 0.51:
                assert grown == pytest.approx(passed, abs=1e-6)
                assert clock.stood_still == 0.0
            elif share < 0.49:
                assert grown == pytest.approx(LONGEST, abs=1e-6)
                assert clock.stood_still == pytest.approx(passed)


def test_a_process_that_is_stopped_stands_still():
    process = subprocess.Popen([sys.executable, '-c', LOOKER], text=True, stdout=subprocess.PIPE)
    assert process.stdout.readline() == 'looks\n'
    process.send_signal(signal.SIGSTOP)
    time.sleep(STOPPED)
    os.kill(process.pid, signal.SIGCONT)
    behind, still = map(float, process.communicate(timeout=60)[0].split())
    assert still > STOPPED - 0.3
    assert behind > STOPPED - LONGEST - 0.3
