"""What an attacker may have put where a file of ours is to be: neither followed nor believed."""

from contextlib import suppress
import os
from pathlib import Path
import shutil
import socket
import stat
import subprocess
import sys
from tempfile import TemporaryDirectory
import time
from types import SimpleNamespace

import pytest

from mb_estimators.checkpoint import read_file, write_file
from mb_evaluation.results import new_folder
from mb_model.file_api import (
    new_run_folder,
    own_folder,
    point_to,
    remove_private,
    whole_file,
    whole_folder,
    write_whole,
)
from mb_model.files.private import KEPT
from mb_sensors.sent_readings import SentReadings

PRECIOUS = b'precious'
STRANGER = 65534        # another user id


@pytest.fixture(params=[0o000, 0o022, 0o077], autouse=True)
def umask(request):
    """Private files are, whatever is left to others by default."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


@pytest.fixture
def precious(tmp_path):
    """A file that nothing may change."""
    file = tmp_path / 'precious'
    file.write_bytes(PRECIOUS)
    yield file
    assert file.read_bytes() == PRECIOUS


def link(path, precious):
    path.symlink_to(precious)


def link_to_a_checkpoint(path, precious):
    """As of another run, or of another user."""
    write_file(path.with_name('other'), {'planted': True})
    path.symlink_to(path.with_name('other'))


def link_to_nothing(path, precious):
    path.symlink_to(path.with_name('not there'))


def hard_link(path, precious):
    path.hardlink_to(precious)


def pipe(path, precious):
    os.mkfifo(path)


def port(path, precious):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


def folder(path, precious):
    path.mkdir()


def of_a_stranger(path, precious):
    write_file(path, {'planted': True})
    try:
        os.chown(path, STRANGER, STRANGER)
    except PermissionError:
        pytest.skip('a file can be given away by root alone')


def open_to_others(path, precious):
    write_file(path, {'planted': True})
    path.chmod(0o666)


PLANTS = (link, link_to_a_checkpoint, link_to_nothing, hard_link, pipe, port, folder,
          of_a_stranger, open_to_others)


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.mark.parametrize('plant', PLANTS)
def test_a_checkpoint_replaces_what_was_planted(tmp_path, precious, plant):
    """Or fails; the target of a link is as it was."""
    path = tmp_path / 'state'
    plant(path, precious)
    if plant is folder:
        with pytest.raises(OSError, match='directory'):
            write_file(path, {'a': 1})
    else:
        write_file(path, {'a': 1})
        assert read_file(path) == {'a': 1}
        assert path.is_file()
        assert not path.is_symlink()
        assert mode(path) == 0o600
    assert not list(tmp_path.glob('.*'))
    assert not path.with_name('not there').exists()


@pytest.mark.parametrize('plant', PLANTS)
def test_a_planted_checkpoint_is_not_believed(tmp_path, precious, plant):
    path = tmp_path / 'state'
    plant(path, precious)
    with pytest.raises((OSError, ValueError)):
        print(read_file(path))


@pytest.mark.parametrize('plant', PLANTS)
def test_what_readings_are_sent_is_not_written_where_others_want(tmp_path, precious, plant):
    path = tmp_path / 'state'
    plant(path, precious)
    with pytest.raises(ValueError, match=r'checkpoint: .*state: '):
        SentReadings(path, ['a'])
    assert not path.with_name('not there').exists()


def test_what_readings_are_sent_is_for_this_user_alone(tmp_path):
    path = tmp_path / 'sent'
    path.touch(0o644)
    path.chmod(0o644)           # as earlier versions made it
    sent = SentReadings(path, ['a', 'longer_name'])
    sent.note([(SimpleNamespace(name='a'), 7, None)])
    assert mode(path) == 0o600
    other = SentReadings(path, ['a'])       # shorter: nothing of what was there stays
    other.note([(SimpleNamespace(name='a'), 9, None)])
    assert SentReadings(path, ['a']).earlier == 9
    other.remove()
    assert not list(tmp_path.iterdir())


def test_a_run_has_a_folder_that_cannot_be_guessed(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_STATE_HOME', str(tmp_path / 'state'))
    found = {new_run_folder() for _ in range(10)}
    assert len(found) == 10
    for one in found:
        assert tmp_path / 'state' / 'mb_state_estimation' in one.parents
        assert [mode(above) for above in (one, *one.parents[:3])] == [0o700] * 4


def test_what_a_killed_launch_has_left_goes_after_a_day(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_STATE_HOME', str(tmp_path))
    ours = new_run_folder()         # of a launch that goes on for days
    left = [Path(subprocess.run(
        [sys.executable, '-c', 'from mb_model.file_api import new_run_folder\n'
         'print(new_run_folder())'],
        stdout=subprocess.PIPE, text=True, check=True).stdout.strip()) for _ in range(2)]
    past = time.time() - KEPT - 60.0
    for one in (ours, left[0]):
        (one / 'estimator.checkpoint').write_text('')
        os.utime(one, (past, past))
    new_run_folder()
    assert [one.exists() for one in (ours, *left)] == [True, False, True]


@pytest.mark.parametrize('given', ['', 'not/absolute'])
def test_without_a_state_folder_it_is_that_of_the_user(given, tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_STATE_HOME', given)
    monkeypatch.setenv('HOME', str(tmp_path))
    assert tmp_path / '.local' / 'state' / 'mb_state_estimation' / 'runs' == (
        new_run_folder().parent)


def test_a_state_folder_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    (tmp_path / 'file').write_text('')
    monkeypatch.setenv('XDG_STATE_HOME', str(tmp_path / 'file'))
    with pytest.raises(ValueError, match=r'/file: .*; XDG_STATE_HOME names another folder'):
        new_run_folder()


def test_a_state_folder_of_others_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_STATE_HOME', str(tmp_path))
    runs = new_run_folder().parent
    for folder in (runs, runs.parent):
        folder.chmod(0o777)
        with pytest.raises(ValueError, match=f'{folder.name}: can be written by others; XDG'):
            new_run_folder()


def test_a_killed_writer_leaves_nothing_for_long(tmp_path, monkeypatch):
    """What it had begun goes with the file."""
    path = tmp_path / 'state*'
    write_file(path, {'a': 1})
    shutil.copy(path, tmp_path / '.state*.abcd1234')
    other = tmp_path / '.stateful.abcd1234'
    other.write_text('')
    remove_private(path)
    assert list(tmp_path.iterdir()) == [other]


@pytest.mark.parametrize('plant', PLANTS)
def test_a_result_replaces_what_was_planted_or_is_refused(tmp_path, precious, plant):
    path = tmp_path / 'report.json'
    plant(path, precious)
    if plant in (pipe, port, folder):
        with pytest.raises(OSError, match=f'is no ordinary file: .*{path.name}'):
            write_whole(path, 'result')
    else:
        write_whole(path, 'result')
        assert path.read_text() == 'result'
        assert not path.is_symlink()
    assert not list(tmp_path.glob('.*'))
    assert not path.with_name('not there').exists()


def test_no_name_of_a_result_that_is_written_can_be_guessed(tmp_path):
    """Nor can others enter its folder meanwhile."""
    parts = []
    for write in (whole_file, whole_folder) * 5:
        with suppress(ZeroDivisionError), write(tmp_path / 'a') as part:
            parts.append(part.parent)
            assert mode(part.parent) == 0o700
            assert part.parent.parent == tmp_path
            raise ZeroDivisionError
    assert len(set(parts)) == 10
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize('plant', PLANTS)
def test_only_links_are_replaced_by_links(tmp_path, precious, plant):
    path = tmp_path / 'latest'
    plant(path, precious)
    if path.is_symlink():
        point_to(path, 'newest')
        assert path.readlink() == Path('newest')
    else:
        with pytest.raises(OSError, match='is no link'):
            point_to(path, 'newest')
    assert not list(tmp_path.glob('.*'))


@pytest.mark.parametrize('plant', PLANTS)
def test_a_folder_of_this_user_is_no_link_and_no_folder_of_others(tmp_path, precious, plant):
    path = tmp_path / 'device'
    plant(path, precious)
    if plant is folder:
        path.chmod(0o755)
        assert own_folder(path) == path
        path.chmod(0o775)
    with pytest.raises(OSError, match=r'is no folder|can be written by others'):
        own_folder(path)
    assert mode(own_folder(tmp_path / 'new' / 'one')) == 0o700


def as_user(user, act):
    """Return what act() returns as text, or the text of its error, in a process of a user id."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        try:
            text = str(act())
        except Exception as error:
            text = str(error)
        os.write(writing, text.encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with open(reading) as answer:
        return answer.read()


@pytest.mark.skipif(os.geteuid() != 0, reason='root alone can be other users')
def test_two_users_who_share_a_folder(monkeypatch):
    """One cannot replace what is the other's, says so, and leaves nothing."""
    with TemporaryDirectory() as folder:
        shared = Path(folder)
        shared.chmod(0o1777)        # as /tmp
        monkeypatch.setenv('XDG_STATE_HOME', folder)
        first = Path(as_user(STRANGER - 1, lambda: new_folder(folder)))
        run = as_user(STRANGER - 1, new_run_folder)
        as_user(STRANGER - 1, lambda: write_whole(shared / 'report.json', 'of the first'))
        before = sorted(shared.iterdir())
        assert as_user(STRANGER, lambda: new_folder(folder)) == (
            f'results: {shared / "latest"}: Operation not permitted')
        assert as_user(STRANGER, lambda: write_whole(shared / 'report.json', 'other')).endswith(
            "Operation not permitted: '" + str(shared / 'report.json') + "'")
        assert 'belongs to another user' in as_user(STRANGER, new_run_folder) or (
            'Permission denied' in as_user(STRANGER, new_run_folder))
        assert sorted(shared.iterdir()) == before
        assert (shared / 'latest').resolve() == first
        assert Path(run).is_dir()
        assert (shared / 'report.json').read_text() == 'of the first'


def test_results_are_as_the_umask_says(tmp_path, umask):
    write_whole(tmp_path / 'report.json', '{}')
    with whole_folder(tmp_path / 'bag') as place:
        place.mkdir()
        (place / 'metadata.yaml').touch()
    assert [mode(tmp_path / name) for name in ('report.json', 'bag', 'bag/metadata.yaml')] == [
        0o666 & ~umask, 0o777 & ~umask, 0o666 & ~umask]


def test_nothing_of_ours_is_in_the_folder_for_temporary_files():
    """Where every user can guess names."""
    for file in Path(__file__).parents[2].glob('*/mb_*/**/*.py'):
        assert 'gettempdir' not in file.read_text(), file
