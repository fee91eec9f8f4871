"""What a process that was killed leaves beside results goes with the next one that writes there."""

from concurrent.futures import ThreadPoolExecutor
import os
import signal
import subprocess
import sys

from mb_model.file_api import whole_folder, write_whole

WRITING = """
import sys, time
from mb_model.file_api import whole_folder
with whole_folder(sys.argv[1]) as folder:
    folder.mkdir()
    (folder / 'data').write_text('half')
    print(flush=True)
    time.sleep(600.0)
"""


def writing(path):
    """Return a process that has begun to write a folder, and does not end."""
    process = subprocess.Popen([sys.executable, '-c', WRITING, str(path)], stdout=subprocess.PIPE)
    process.stdout.readline()
    return process


def parts(folder):
    return sorted(folder.glob('.part_*'))


def test_parts_of_killed_processes_go_and_of_living_ones_stay(tmp_path):
    living = writing(tmp_path / 'living')
    kept, = parts(tmp_path)
    killed = writing(tmp_path / 'killed')
    killed.kill()
    assert killed.wait() == -signal.SIGKILL
    assert len(parts(tmp_path)) == 2
    mine = tmp_path / '.part_of_my_own'
    mine.mkdir()
    write_whole(tmp_path / 'another', 'text')
    assert parts(tmp_path) == sorted([kept, mine])
    assert (kept / 'living' / 'data').read_text() == 'half'
    living.kill()
    living.wait()
    with whole_folder(tmp_path / 'next') as folder:
        folder.mkdir()
        assert kept not in parts(tmp_path)
    assert parts(tmp_path) == [mine]
    assert sorted(os.listdir(tmp_path)) == ['.part_of_my_own', 'another', 'next']


def test_several_remove_and_write_at_once(tmp_path):
    """None takes another's part for one that is left."""
    for k in range(40):
        left = tmp_path / f'.part_left{k:04d}'
        left.mkdir()
        (left / 'data').write_text('half')

    def write(k):
        write_whole(tmp_path / f'{k}.txt', str(k))
        return (tmp_path / f'{k}.txt').read_text()
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(write, range(150))) == [str(k) for k in range(150)]
    assert not parts(tmp_path)
