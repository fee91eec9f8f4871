"""Motion capture without labels of mechanisms whose labels are known, for tests."""

import numpy as np

from mb_estimators import Experiment
from mb_model import load_mechanism

DT = 0.005
MARKERS = {'elbow': 'P1', 'wrist': 'P2', 'middle': {'body': 'coupler', 'at': [1.0, 0.3]}}
FOUR_BAR = load_mechanism('four_bar').replace(sensors={
    name: {'kind': 'position', 'point': point, 'sigma': 3e-3} for name, point in MARKERS.items()})
CORNERS = [[0.4, 0.0, 0.0], [-0.3, 0.2, 0.0], [0.1, -0.4, 0.05]]
STEWART = load_mechanism('stewart').replace(sensors={
    f'corner{k}': {'kind': 'position', 'point': {'body': 'platform', 'at': at}, 'sigma': 1e-3}
    for k, at in enumerate(CORNERS)})


def captured(seed, steps=100, lost=0.0, clutter=0, mechanism=FOUR_BAR, markers=tuple(MARKERS)):
    """Yield readings in order, points of the same without labels, and their true labels."""
    experiment = Experiment(mechanism, markers, {'gravity': -0.5}, steps * DT, DT)
    random, axes = np.random.default_rng(seed), mechanism.dimension
    for row in experiment.readings(seed):
        there = random.random(len(markers)) >= lost
        labels = [name for name, seen in zip(markers, there, strict=True) if seen] + clutter * ['']
        points = np.vstack([row.reshape(-1, axes)[there],
                            random.uniform(-3.0, 6.0, (clutter, axes))])
        order = random.permutation(len(labels))
        row.reshape(-1, axes)[~there] = np.nan
        yield row, points[order], [labels[k] for k in order]
