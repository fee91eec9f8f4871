"""The cache of compiled code while several processes write it."""

import os
import pickle
import subprocess
import sys
import time
from types import ModuleType

import pytest

from mb_model.jit.cache_files import CacheFile, _lock_file


@pytest.fixture
def files(tmp_path):
    """Return a function that makes the CacheFile of one process, for a stamp of the sources."""
    return lambda stamp: CacheFile(str(tmp_path), 'module.function-1.py311', stamp)


def test_what_was_saved_is_found(files):
    files('now').save('float64', 'code')
    assert files('now').load('float64') == 'code'
    assert files('now').load('int64') is None
    assert files('later').load('float64') is None


def test_no_process_reads_code_of_older_sources(files, monkeypatch):
    """Not even between the writing of the index and of the file."""
    files('before').save('float64', 'old code')
    process, other, seen = files('now'), files('now'), []

    def watched(act):
        def then(*arguments):
            act(*arguments)
            seen.append(other.load('float64'))
        return then

    for step in ('_save_data', '_save_index'):
        monkeypatch.setattr(process, step, watched(getattr(process, step)))
    process.save('float64', 'new code')
    assert seen == [None, 'new code']


def test_processes_that_save_at_once_keep_their_types_apart(files, monkeypatch):
    first, second = files('now'), files('now')
    for process in (first, second):      # neither knows of the other yet
        monkeypatch.setattr(process, '_load_index', dict)
    first.save('float64', 'for float64')
    second.save('int64', 'for int64')
    found = files('now').load('float64'), files('now').load('int64')
    assert found in ((None, 'for int64'), ('for float64', None), ('for float64', 'for int64'))


def test_other_sources_leave_it_alone(files):
    """As a process with another plugin beside, or an earlier commit, has."""
    for stamp in ('now', 'with a plugin', 'plain'):
        files(stamp).save('float64', stamp)
    assert [files(stamp).load('float64') for stamp in ('now', 'with a plugin', 'plain')] == [
        'now', 'with a plugin', 'plain']


def test_files_of_older_sources_are_removed(files, tmp_path):
    for stamp in ('oldest', 'older', 'before', 'now'):
        files(stamp).save('float64', stamp)
        files(stamp).save('int64', stamp)
        time.sleep(0.01)        # stamps of files may be as coarse
    assert files('oldest').load('float64') is None
    assert len(list(tmp_path.glob('*.nbi'))) == 3
    assert len(list(tmp_path.glob('*.nbc'))) == 6


def test_an_index_that_names_types_of_a_module_that_is_gone_is_outdated(files, monkeypatch):
    """As after an update that moves a class to another module, for the caches of before it."""
    module = ModuleType('moved_away')
    monkeypatch.setitem(sys.modules, 'moved_away', module)
    exec('class Record: pass', module.__dict__)
    files('before').save(module.Record, 'old code')
    monkeypatch.delitem(sys.modules, 'moved_away')
    assert files('before').load('float64') is None
    files('before').save('float64', 'code')
    assert files('before').load('float64') == 'code'


class Planted:
    """Runs when it is read."""

    def __reduce__(self):
        return os.mkdir, (PLANTED,)


PLANTED = 'planted'


def of_others(path):
    if os.geteuid():
        pytest.skip('a file can be given away by root alone')
    os.chown(path, 65534, 65534)


def writable(path):
    path.chmod(0o666)


def linked(path):
    path.rename(path.with_name('elsewhere'))
    path.symlink_to('elsewhere')


def planted(path):
    path.write_bytes(pickle.dumps(Planted()))


def renamed(path):
    """As all can do who can write to the folder: code of another kernel."""
    path.unlink()
    CacheFile(str(path.parent), 'other', 'now').save('float64', 'code of another')
    next(path.parent.glob(f'other.*{path.suffix}')).rename(path)


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def emptied(path):
    path.write_bytes(b'')


def turned(path):
    """One bit of it."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize('kind', ['nbi', 'nbc'])
@pytest.mark.parametrize('damage', [of_others, writable, linked, planted, renamed, cut, emptied,
                                    turned])
def test_what_others_may_have_written_is_compiled_anew(files, tmp_path, monkeypatch, damage, kind):
    monkeypatch.chdir(tmp_path)
    files('now').save('float64', 'code')
    damage(next(tmp_path.glob(f'*.{kind}')))
    assert files('now').load('float64') is None
    files('now').save('float64', 'new code')
    assert files('now').load('float64') == 'new code'
    assert not os.path.exists(PLANTED)


@pytest.mark.parametrize('plant', [
    lambda path: path.symlink_to('elsewhere'), os.mkfifo, lambda path: path.mkdir()])
def test_locks_are_not_where_others_want(tmp_path, plant):
    """Nor does a pipe there hold up who compiles."""
    plant(tmp_path / 'kernels.lock')
    with pytest.raises(OSError, match=r'kernels\.lock'):
        _lock_file(str(tmp_path))
    assert not (tmp_path / 'elsewhere').exists()


@pytest.mark.parametrize('umask', [0o000, 0o002, 0o077])
def test_whatever_the_umask_others_cannot_write(files, tmp_path, umask):
    before = os.umask(umask)
    try:
        files('now').save('float64', 'code')
    finally:
        os.umask(before)
    assert files('now').load('float64') == 'code'
    assert all(not file.stat().st_mode & 0o022 for file in tmp_path.iterdir())


LARGE = """
from numba import float64
from mb_model.jit import separate

@separate(float64[::1])
def kernel(a):
    return {sums}

print(kernel.stats.cache_misses[kernel.signatures[0]])
"""


def test_of_processes_that_start_together_one_compiles_a_kernel(tmp_path):
    """As the nodes of a launch do."""
    sums = ' + '.join(f'a[{k}] * a[{k} // 2]' for k in range(400))
    (tmp_path / 'large.py').write_text(LARGE.format(sums=sums))
    nodes = [subprocess.Popen([sys.executable, '-c', 'import large'], cwd=tmp_path, text=True,
                              stdout=subprocess.PIPE,
                              env=os.environ | {'NUMBA_CACHE_DIR': str(tmp_path / 'cache')})
             for _ in range(3)]
    assert sorted(node.communicate()[0] for node in nodes) == ['0\n', '0\n', '1\n']
