"""Tutorials: what they say to type works, and their code is in the files beside them, too."""

import os
from pathlib import Path
import re
import shlex
import signal
import subprocess
from threading import Thread

import pytest

from mb_model.checking import look_through

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / 'docs' / 'tutorials'
PAGES = sorted(FOLDER.glob('*.md'))
WRITTEN = ('bring_your_robot/excavator.urdf',)      # by a command that the page names
pytestmark = pytest.mark.timeout(600)      # a machine in space compiles, once


def commands(name):
    """Return the commands of a tutorial, each as words."""
    blocks = re.findall(r'```bash\n(.*?)\n```', (FOLDER / f'{name}.md').read_text(), re.DOTALL)
    return [shlex.split(line) for block in blocks
            for line in block.replace('\\\n', ' ').splitlines()]


def said_by(words, folder):
    """Run a command in a folder with the repository's pages and packages; return what it says."""
    for name in ('docs', 'src'):
        link = folder / name
        link.is_symlink() or link.symlink_to(ROOT / name)
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return ' '.join(done.stdout.split())


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_code_of_a_page_is_in_its_files(page):
    """So that one reads on GitHub what the commands read: a whole file, or a part of it."""
    text = page.read_text()
    blocks = re.findall(r'```(?:yaml|python|xml)\n(.*?)```', text, re.DOTALL)
    for file in re.findall(rf'\]\(({page.stem}/[^)]+)\)', text):
        if file not in WRITTEN:
            shown = [block for block in blocks if block in (FOLDER / file).read_text()]
            assert shown, file
            blocks.remove(shown[0])
    assert not blocks, 'code without a file'


@pytest.mark.parametrize('file', sorted(FOLDER.glob('own_mechanism/*.yaml')) +
                         sorted(FOLDER.glob('in_space/*.yaml')), ids=lambda file: file.stem)
def test_mechanisms_are_right(file):
    """Nothing is wrong in them, or doubtful, sensors included."""
    found = look_through(file)
    assert (found.mistakes, found.doubts) == ((), ())


def test_own_mechanism(tmp_path):
    check, simulate, pumpjack, launch, press = commands('own_mechanism')
    assert launch[:3] == ['ros2', 'launch', 'mb_bringup']       # tested below
    said_by(check, tmp_path)
    said_by(simulate, tmp_path)
    assert {'pumpjack.png', 'motion.png', 'motion.html'} <= {f.name for f in tmp_path.iterdir()}
    said = said_by(pumpjack, tmp_path)
    assert 'beam_gyro would determine the least known state 13' in said
    assert 'crank_angle moves while the readings of positions stand still' in said
    said = said_by(press, tmp_path)
    assert 'theta moves while the readings of positions stand still' in said
    assert 'crank_encoder would distinguish the sides' in said


def test_in_space(tmp_path):
    check, simulate, observable, _ = commands('in_space')
    assert 'degrees of freedom 3' in said_by(check, tmp_path)
    said_by(simulate, tmp_path)
    assert {'desk_lamp.png', 'motion.png', 'motion.html'} <= {f.name for f in tmp_path.iterdir()}
    said = said_by(observable, tmp_path)
    assert 'Everything is observable; elbow_encoder would determine' in said
    assert 'hardly more accurately' in said


def test_bring_your_robot(tmp_path):
    bare, closed, observable, launch, excavator = commands('bring_your_robot')
    assert launch[:3] == ['ros2', 'launch', 'mb_bringup']       # tested below
    assert 'degrees of freedom 5' in said_by(bare, tmp_path)
    said = said_by(closed, tmp_path)
    assert 'degrees of freedom 1' in said
    assert 'guessed: encoders: noise of 0.001 rad' in said
    assert 'rank 2 of 2' in said_by(observable, tmp_path)
    assert ('Everything is observable; bucket_imu_accelerometer would determine the least known '
            'state 2' in said_by(excavator, tmp_path))


@pytest.mark.parametrize('name', ['excavator.urdf', 'excavator_loops.yaml'])
def test_the_excavator_is_what_the_command_writes(name, tmp_path):
    said_by(['ros2', 'run', 'mb_import', 'export', 'excavator'], tmp_path)
    assert (tmp_path / name).read_text() == (FOLDER / 'bring_your_robot' / name).read_text()


@pytest.mark.whole
def test_your_log(tmp_path):
    propose, make, compare, estimate, smooth, report = commands('your_log')
    proposed = said_by(propose, tmp_path)
    assert 'shoulder_encoder: pos_meas1' in proposed
    assert 'elbow_encoder: pos_meas2' in proposed
    assert '/shoulder_encoder: 4887' in said_by(make, tmp_path)
    said = said_by(compare, tmp_path)
    assert 'not determined by shoulder_encoder, elbow_encoder' in said
    assert ': lost' not in said
    assert 'as a wrong model' in (tmp_path / 'my_run/comparison/comparison.md').read_text()
    assert 'readings used 9774, rejected 0' in said_by(estimate, tmp_path)
    said_by(smooth, tmp_path)
    assert (tmp_path / 'my_run/smoothed.npz').is_file()
    done = subprocess.run(report, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert (tmp_path / 'my_run/report.html').is_file()


@pytest.mark.whole
@pytest.mark.parametrize(('name', 'place'), [('own_mechanism', 3), ('in_space', 3),
                                             ('bring_your_robot', 3)])
def test_runs_pass(name, place, tmp_path):
    assert 'PASSED: the observer beat the model' in said_by(commands(name)[place], tmp_path)


@pytest.mark.whole
def test_live_robot(tmp_path):
    """In the order of the page; what runs on is ended by Ctrl-C."""
    launch, device, machine, record, again = commands('live_robot')
    (tmp_path / 'docs').symlink_to(ROOT / 'docs')
    machine[-1] = 'duration:=5.0'
    running = []
    try:
        for words in (record, launch, device):
            running.append(started(words, tmp_path))
        wait_for(running[0], '/estimator/state')
        running.append(started(machine, tmp_path))
        wait_for(running[-1], '5 s simulated')
    finally:
        for process in running:
            os.killpg(process.pid, signal.SIGINT)
        for process in running:
            process.wait(timeout=60)
    said = said_by(again, tmp_path)
    used, rejected = (int(re.search(rf'{word} (\d+)', said)[1])
                      for word in ('readings used', 'rejected'))
    assert used > 500
    assert rejected < .02 * used, 'those alone whose stamps a busy machine gave late'


def started(words, folder):
    """Start a command as in a terminal of its own, whose Ctrl-C reaches all of its processes."""
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, start_new_session=True)


def wait_for(process, words):
    """Read what a process says until the words come; what follows is read and forgotten."""
    for line in process.stdout:
        if words in line:
            break
    else:
        raise AssertionError(f'{words}: not said')
    Thread(target=process.stdout.read, daemon=True).start()
