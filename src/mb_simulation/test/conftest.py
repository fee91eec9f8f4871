"""Tests of mb_simulation: mechanisms in space lie beside the tests of mb_model."""

from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).parents[2] / 'mb_model' / 'test'))
