"""Numbers in a file stay as they were given, and medians of them are exact."""

import numpy as np
import pytest

from mb_model.files import spilled
from mb_model.files.spilled import Spilled


@pytest.mark.parametrize('draw', [
    lambda rng, k: rng.normal(size=k), lambda rng, k: rng.integers(0, 3, k).astype(float),
    lambda rng, k: np.full(k, 1e7), lambda rng, k: 1.0 + 2.0 ** -52 * rng.integers(0, 4, k),
    lambda rng, k: np.exp(50.0 * rng.normal(size=k)),
    lambda rng, k: 1e7 + np.where(rng.random(k) < 0.01, 1e15, 0.0)])
@pytest.mark.parametrize('count', [1, 2, 7, 1000, 1001])
def test_medians_are_exact(draw, count, monkeypatch):
    monkeypatch.setattr(spilled, '_BLOCK', 16)
    monkeypatch.setattr(spilled, '_BINS', 8)
    numbers = draw(np.random.default_rng(count), count)
    kept = Spilled()
    for part in np.array_split(numbers, 5):
        kept.append(part)
    assert len(kept) == count
    assert kept.median() == np.median(numbers)
    assert np.concatenate(list(kept.blocks())).tolist() == numbers.tolist()


def test_rows_of_several_numbers_come_back_as_they_were():
    kept = Spilled(np.int64, 3)
    rows = np.arange(30).reshape(10, 3)
    kept.append(rows[:4])
    kept.append(rows[4:])
    assert kept.rows(2, 7).tolist() == rows[2:7].tolist()
    assert kept.rows(8, 99).tolist() == rows[8:].tolist()
    assert kept.rows(10, 12).shape == (0, 3)
