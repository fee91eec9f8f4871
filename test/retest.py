"""Run the few tests that failed beside others once more, alone, and say which passes only then.

    python test/retest.py CODE

CODE: the exit code of pytest, as test/crash_report.py gives it; also of this program, but 0 where
all of these pass.  Nodes of several launches on a busy machine may find one another late; a fault
of the project fails again.  Not run again: more than MOST tests, crashes, ends by signals.
"""

import json
from pathlib import Path
import subprocess
import sys

FAILED = 1      # exit code of pytest: all was run, and something failed
MOST = 10       # tests; more than that is no matter of chance
FILE = Path('.pytest_cache/v/cache/lastfailed')     # of pytest, by the names of tests


def main(code: int) -> int:
    """Run them and return the exit code."""
    names = sorted(json.loads(FILE.read_text(encoding='utf-8'))) if FILE.is_file() else []
    if code != FAILED or not 0 < len(names) <= MOST:
        return code
    print('\nOnce more, alone:', *names, sep='\n  ', flush=True)
    again = subprocess.run([sys.executable, '-m', 'pytest', *names], check=False).returncode
    if again:
        return code
    print('\nFAILED BESIDE OTHERS, PASSED ALONE:', *names, sep='\n  ')
    return 0


if __name__ == '__main__':
    sys.exit(main(int(sys.argv[1])))
