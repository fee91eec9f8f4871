"""Tests find their helpers by name: in this folder, and beside the tests of reports."""

from pathlib import Path
import sys

for _package in ('mb_bringup', 'mb_evaluation'):
    sys.path.insert(0, str(Path(__file__).parents[2] / _package / 'test'))
