"""What docs/how_to/security.md says of sockets and files, against what the kernel says."""

from fnmatch import fnmatchcase
import os
from pathlib import Path
import re
import shutil
import stat
import subprocess
import time

import pytest

from mb_bringup.endurance import launched
from mb_evaluation.live import server
from mb_ros.process_tree import descendants

DOCS = Path(__file__).parents[3] / 'docs/how_to/security.md'
PATIENCE = 120.0        # of a machine that does other things [s]
PASSING = 'while a node begins'         # said of what need not be seen, and does not stay
UMASK = 0o026           # of no other process
SENSORS = '[crank_encoder, crank_gyro]'     # on the bus, and on a serial line

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(shutil.which('ss') is None, reason='needs ss (iproute2)'),
    pytest.mark.skipif(server.find_spec('rerun') is None, reason=f'needs {server.NEEDED}')]


def claims(title):
    """Return the rows of the table after a sentence: [(what, protocol, address, port)]."""
    table = DOCS.read_text().partition(title)[2].split('\n\n')
    rows = next(part for part in table if part.startswith('| what')).splitlines()[2:]
    cells = [[cell.strip(' `') for cell in row.strip('|').split('|')] for row in rows]
    assert cells
    return [(what, protocol, address, port) for what, _, protocol, address, port in cells]


def fits(claim, socket):
    """Return whether a bound socket (protocol, address, port) is one that a row claims."""
    _, protocol, address, ports = claim
    if protocol != socket[0] or not fnmatchcase(socket[1], address):
        return False
    if ports == 'any':
        return True
    first, last, factor = re.fullmatch(r'(\d+)(?:-(\d+))?(?: \+ (\d* ?)d)?', ports).groups()
    offset = 0 if factor is None else int(factor or 1) * int(os.environ['ROS_DOMAIN_ID'])
    return int(first) <= socket[2] - offset <= int(last or first)


def bound(process):
    """Return {(protocol, address, port)} of what a process and its descendants have bound."""
    ours, found = {process, *descendants(process)}, set()
    for protocol, option in (('TCP', '-tlnp'), ('UDP', '-ulnp')):
        lines = subprocess.run(['ss', '-H', option], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        for line in lines:
            if ours & set(map(int, re.findall(r'pid=(\d+)', line))):
                address, _, port = line.split()[3].rpartition(':')
                found.add((protocol, address, int(port)))
    return found


def watched(process, claimed):
    """Return what was bound until each row of a table has been found; fail if that takes long.

    And until nothing is bound that does not stay.
    """
    lasting = [row for row in claimed if PASSING not in row[0]]
    found, end = set(), time.monotonic() + PATIENCE
    while True:
        now = bound(process.pid)
        found |= now
        missing = [row for row in lasting if not any(fits(row, one) for one in found)]
        passing = [one for one in now if not any(fits(row, one) for row in lasting)]
        if not missing and not passing:
            return found
        assert process.poll() is None, 'the run has ended'
        assert time.monotonic() < end, f'not bound: {missing}; bound: {passing}'
        time.sleep(0.2)


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def umask():
    before = os.umask(UMASK)
    yield
    os.umask(before)


ARGUMENTS = {'view': 'web', 'sources': 'emulated', 'respawn': 'true', 'sensors': SENSORS,
             'composed': 'false'}


@pytest.mark.usefixtures('umask')
def test_what_is_bound_is_what_the_page_says(tmp_path):
    """And files are as it says, too."""
    state, log = tmp_path / 'state', tmp_path / 'log'
    claimed = claims('## What listens where')
    with log.open('w') as output, launched(
            'three_simulation.launch.py',
            {**ARGUMENTS, 'duration': 3600.0, 'results': tmp_path / 'results'}, output,
            {'XDG_STATE_HOME': str(state)}) as process:
        found = watched(process, claimed)
        folder, = (state / 'mb_state_estimation' / 'runs').iterdir()
        end = time.monotonic() + PATIENCE
        while not (folder / 'estimator.checkpoint').exists():
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.2)
        found |= bound(process.pid)
        private = {file.name: mode(file) for file in folder.iterdir() if file.is_file()
                   and not (file.is_symlink() or file.name.startswith('.'))}
        assert [mode(one) for one in (folder, *folder.parents[:3])] == [0o700] * 4
    strangers = [one for one in found if not any(fits(row, one) for row in claimed)]
    assert not strangers
    assert len(private) >= 3
    assert set(private.values()) == {0o600}
    assert not folder.exists()
    files = list((tmp_path / 'results').rglob('*'))
    assert any(file.suffix == '.mcap' or file.suffix == '.db3' for file in files)
    for file in files:
        if not file.is_symlink():
            assert mode(file) == (0o777 if file.is_dir() else 0o666) & ~UMASK, file


def test_what_is_opened_is_what_the_page_says(tmp_path):
    claimed = [*claims('What is opened on purpose'),
               *(row for row in claims('## What listens where') if 'Rerun' in row[0])]
    with (tmp_path / 'log').open('w') as output, launched(
            'three_simulation.launch.py',
            {'view': 'web', 'view_address': '0.0.0.0', 'duration': 3600.0, 'record': 'false',
             'results': tmp_path / 'results'}, output,
            {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'}) as process:
        found = watched(process, claimed)
    strangers = [one for one in found if not any(fits(row, one) for row in claimed)]
    assert not strangers
