"""Helpers of tests are found by name: those of this folder, and of the reports below it."""

from pathlib import Path
import sys

for _package in ('mb_bringup', 'mb_evaluation'):
    sys.path.insert(0, str(Path(__file__).parents[2] / _package / 'test'))
