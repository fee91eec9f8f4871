"""Lets test files import what several of them use, and closes what they open."""

from pathlib import Path
import sys

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.append(str(Path(__file__).parents[2] / 'mb_model' / 'test'))       # small machines


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """A folder for all examples of a property."""
    return tmp_path_factory.mktemp('examples')


@pytest.fixture
def closing():
    """Return a function that gives back what it is given, which is closed after the test."""
    opened = []

    def keep(one):
        opened.append(one)
        return one

    yield keep
    for one in opened:
        one.close()


@pytest.fixture
def driver_bench(closing):
    """Return a function that sets up a DriverBench."""
    from driver_bench import DriverBench
    return lambda *arguments, **options: closing(DriverBench(*arguments, **options))
