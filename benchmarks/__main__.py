"""Run benchmarks by name: imported here is next to nothing, so that Ctrl-C ends it in silence."""

import sys

from mb_ros.program import command

if __name__ == '__main__':
    sys.exit(command.benchmarks.command())
