"""What Linux reports of the processes below one."""

import subprocess
import sys

import pytest

from mb_ros.process_tree import processor_time

BURN = 'import time\nwhile time.process_time() < 0.3: pass\n'
# Burns, has a child that has burnt and ended, and one that has burnt and still is there.
FAMILY = f"""
import subprocess, sys
subprocess.run([sys.executable, '-c', {BURN!r}])
child = subprocess.Popen([sys.executable, '-c', {BURN + 'print(flush=True); input()'!r}],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
{BURN}
print(flush=True)
input()
child.communicate(b'.')
"""


@pytest.mark.parametrize(('code', 'burnt'), [
    (BURN + 'print(flush=True); input()', 0.3), (FAMILY, 0.9)], ids=['alone', 'with children'])
def test_time_of_a_process_and_all_that_it_started(code, burnt):
    process = subprocess.Popen([sys.executable, '-c', code], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdout.readline()
    assert burnt - 0.05 <= processor_time(process.pid) < burnt + 2.0
    process.communicate(b'.')
    assert processor_time(process.pid) == 0.0
