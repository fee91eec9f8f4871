"""Tests find their helpers by name: in this folder, and beside the tests of models and reports."""

from pathlib import Path
import sys

for _package in ('mb_model', 'mb_bringup', 'mb_evaluation'):
    sys.path.insert(0, str(Path(__file__).parents[2] / _package / 'test'))
