"""Print, as the last lines of the output, in which test pytest crashed and where.

    python test/crash_report.py FILE CODE

FILE: what the root's conftest.py wrote of it; CODE: the exit code of pytest, also of this program.
"""

from pathlib import Path
import signal
import sys

FRAMES = 15     # the innermost are printed


def crashed_thread(report):
    """Return the lines of the thread that crashed, of Python's main thread if it is none of its."""
    threads = [part.splitlines() for part in report.split('\n\n') if '(most recent call' in part]
    for lines in threads:
        if lines[0].startswith('Current thread'):
            return lines
    return ['A thread of a library crashed; meanwhile the main thread:', *threads[-1][1:]]


def main(file, code):
    """Print what is known of a crash and return the exit code."""
    if code > 128:      # ended by a signal, as shells report it
        place, _, report = Path(file).read_text(encoding='utf-8').partition('\n')
        print(f'\nThe test process was ended by {signal.Signals(code - 128).name}: {place}')
        if '(most recent call' in report:
            print('\n'.join(crashed_thread(report)[:1 + FRAMES]))
    return code


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
