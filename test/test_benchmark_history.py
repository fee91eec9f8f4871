"""The history of ten ratios: entries, the page that is made of them, what the command refuses."""

import json
import subprocess
import sys

import pytest

from benchmarks import history
from benchmarks.command import benchmarks
from benchmarks.figures import Figure

PEERS = {peer: 0.5 for _, _, peer in history.KEYS.values()}


def measured(peers=PEERS):
    """Return {benchmark: its key figures}: 2 beside peers of 0.5, or a ratio of 2."""
    figures = {name: [Figure('another', 7.0, 'us')] for name in history.BENCHMARKS}
    for benchmark, name, peer in history.KEYS.values():
        figures[benchmark] += [Figure(name, 2.0, '', peer=peer, peer_value=peers[peer])
                               for _ in range(1) if peer in peers]
    return figures


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Keep history, page and picture in a folder of the test."""
    for name in 'FILE', 'PAGE', 'PICTURE':
        monkeypatch.setattr(history, name, tmp_path / getattr(history, name).name)
    return tmp_path


def test_it_has_ten_figures_of_benchmarks_that_exist():
    assert len(history.KEYS) == 10
    assert set(history.BENCHMARKS) <= set(benchmarks())


def test_the_page_shows_the_history():
    """Both are committed by one command."""
    assert history.PAGE.read_text(encoding='utf-8') == history.page(history.read())
    assert history.PICTURE.is_file()


def test_entries_are_appended(elsewhere):
    """With the ratio to the peer; what has no peer here is left out, and shown as a gap."""
    before = {'date': '2026-11-29', 'commit': 'abc', 'machine': 'a machine', 'load': 0.1}
    history.append(before, measured())
    history.append({**before, 'load': 3.0}, measured({**PEERS, 'MuJoCo': 4.0}))
    history.append(before, measured({name: 0.5 for name in PEERS if name != 'filterpy UKF'}))
    first, second, third = json.loads(history.FILE.read_text())
    assert first == {**before, 'ratios': {
        key: 2.0 if peer is None else 4.0 for key, (_, _, peer) in history.KEYS.items()}}
    assert second['ratios']['model step / MuJoCo'] == 0.5
    assert set(history.KEYS) - set(third['ratios']) == {'ukf / filterpy UKF'}
    page = history.PAGE.read_text()
    assert '| model step / MuJoCo | 4 | 0.5 | 4 |' in page
    assert '| ukf / filterpy UKF | 4 | 4 | - |' in page
    assert '| 2 | 2026-11-29 | abc | 3.0 (busy) | a machine |' in page
    assert history.PICTURE.stat().st_size > 10_000


def test_a_part_of_its_benchmarks_is_refused():
    done = subprocess.run([sys.executable, '-m', 'benchmarks', '--history', 'derivatives'],
                          cwd=history.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith(
        '--history needs model_step, exudyn_step, filter_step, contact_cost, too: '
        'name them, or none or all')
