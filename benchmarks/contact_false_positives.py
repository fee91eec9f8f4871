"""Ten minutes of random motion of the 3-RRR robot without contacts, models 5 % wrong.

Up to 1.41 m/s, 12.4 m/s^2, 4 rad/s and 40 rad/s^2 all over the workspace.  Thresholds are from
the table of detection times: twice the largest force of the contact-free rectangle, found with the
same wrong model.  An ideal IMU saves minutes: a late one gives the direct method the same estimates
later.  Shown: how often a contact is detected, and the largest share of a threshold reached.
"""

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    OBSERVER,
    ON_AND_ON,
    SETTLED,
    Read,
    robot,
    thresholds,
    wrong_robot,
)
from benchmarks.figures import Figure
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import TrajectorySettings, plan

PARTS = range(10)                     # of the motion
PART = 60.0                           # s
MODELS = range(5)                     # seeds of wrong models
JUDGED = (DIRECT, f'{OBSERVER}, 100 /s')


def measure():
    """Return alarms and largest shares."""
    found = np.array(list(over_cases(part, [(number,) for number in PARTS]).values()))
    figures = []
    for column, method in enumerate(JUDGED):
        alarms, shares = found[:, :, column, 0].sum(axis=0), found[:, :, column, 1].max(axis=0)
        figures += [
            Figure(f'{method}: false contacts in {PART * len(PARTS) / 60:g} minutes, all of '
                   f'{len(MODELS)} wrong models', alarms.sum(), '',
                   0.0 if method == DIRECT else None),
            Figure(f'{method}: largest share of a threshold', shares.max(), '',
                   peer='mean over models', peer_value=shares.mean())]
    return figures


def part(number):
    """Return alarms and largest share of a threshold in a part, [of each model][and method]."""
    settings = TrajectorySettings(kind='random', random_duration=PART, seed=number)
    run = simulate_robot(robot(), plan(robot(), settings), PART, control=ON_AND_ON, step=1e-3)
    read = Read(run, seed=number, late=False)
    return [[judged(read, model, method) for method in JUDGED] for model in MODELS]


def judged(read, model, method):
    """Return how often a contact was detected, and the largest share of a threshold."""
    limits = thresholds(model, method)
    detections = read.detections(method, wrong_robot(model), limits)
    force, = detections.track.force.values()
    share = np.nanmax(np.abs(force[detections.known > SETTLED]) / limits)
    return int((detections.times > SETTLED).sum()), share
