"""Print, as the last lines of the output, in which test pytest crashed and where.

    python test/crash_report.py FILE CODE

FILE: what the root's conftest.py wrote of it, FILE.gw0 and so on what it wrote of workers of
pytest-xdist; CODE: the exit code of pytest, also of this program, but CRASHED where a worker did.
"""

from pathlib import Path
import signal
import sys

FRAMES = 15     # the innermost are printed
CRASHED = 3     # pytest's own for an internal error


def crashed_thread(report):
    """Return the lines of the thread that crashed, of Python's main thread if it is none of its."""
    threads = [part.splitlines() for part in report.split('\n\n') if '(most recent call' in part]
    for lines in threads:
        if lines[0].startswith('Current thread'):
            return lines
    return ['A thread of a library crashed; meanwhile the main thread:', *threads[-1][1:]]


def main(file, code):
    """Print what is known of crashes and return the exit code."""
    if code > 128:      # ended by a signal, as shells report it
        explain(Path(file), f'The test process was ended by {signal.Signals(code - 128).name}')
    for one in sorted(Path(file).parent.glob(f'{Path(file).name}.gw*')):
        if '(most recent call' in one.read_text(encoding='utf-8'):
            explain(one, f'Worker {one.suffix[1:]} crashed')
            code = CRASHED
    return code


def explain(file, what):
    """Print what happened, in which test, and where it was."""
    place, _, report = file.read_text(encoding='utf-8').partition('\n')
    print(f'\n{what}: {place}')
    if '(most recent call' in report:
        print('\n'.join(crashed_thread(report)[:1 + FRAMES]))


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
