"""Mechanisms and independent truths that several test files use."""

from pathlib import Path
import sys

import numpy as np
import pytest

from mb_model import load_mechanism

sys.path.insert(0, str(Path(__file__).parent))

from truth import Linkage


@pytest.fixture(scope='session')
def four_bar():
    """The benchmark linkage."""
    return load_mechanism('four_bar')


@pytest.fixture(scope='session')
def five_bar():
    """The benchmark linkage with two degrees of freedom."""
    return load_mechanism('five_bar')


@pytest.fixture(scope='session')
def four_bar_truth():
    """The benchmark linkage in minimal coordinates."""
    return Linkage.four_bar(2.0, 8.0, 5.0, 10.0, masses=(2.0, 8.0, 5.0), branch=1, gravity=9.81)


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    return np.random.default_rng(20230707)
