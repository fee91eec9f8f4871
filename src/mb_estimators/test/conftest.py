"""Lets test files import what several of them use."""

from pathlib import Path
import sys

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[2] / 'mb_model' / 'test'))       # mechanisms in space
sys.path.append(str(Path(__file__).parents[2] / 'mb_sensors' / 'test'))     # what a robot reads
