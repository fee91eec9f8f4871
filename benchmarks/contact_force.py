"""Why the platform is pushed by more than 110 N until a contact is detected: one cause at a time.

The robot, the collisions with the platform and the direct method are those of contact_observers:
0.8 m/s, 25 m/s^2, an IMU that is 3 to 4 ms late, measured torques, a model that is 5 % wrong,
obstacles of 20 to 75 kN/m.  Each case leaves out or changes one thing, and has the thresholds that
follow: twice the largest force of the contact-free rectangle.  Shown: threshold, time from the
first touch until the detection, and the largest force on the platform until then, means over
SEEDS.  Two cases are bounds: detected by the first reading after the touch, whatever it says.  The
last ones are other methods, two of which do not wait for the IMU, and the thresholds that the paper
prints for the direct method and for its observer at 135 /s.
"""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from benchmarks.cases import over_cases
from benchmarks.contact_cases import (
    DIRECT,
    ON_ENCODERS,
    SETTLED,
    Read,
    measured,
    robot,
    wrong_robot,
)
from benchmarks.contact_detection import collided
from benchmarks.contact_observers import (
    ACCELERATION,
    CALIBRATION_SEED,
    GIVING,
    LIMIT,
    ON_DIFFERENCES,
    ON_ESTIMATE,
    PAPER,
    SEEDS,
    SPEED,
    TORQUES,
    contact_free,
    forces,
    push,
    twice_largest,
)
from benchmarks.figures import Figure
from mb_sensors import NANOSECONDS
from mb_simulation.collisions import CollisionScript, random_collisions

EXACT = {'drawn_scale': 0.0, 'sigma': 0.0, 'drawn_bias': 0.0}
SOFT, SLOW = 20e3, (0.45, 0.45)         # N/m, m/s: of the paper's first experiment
OBSERVER = f'extended state, 400 /s, {ON_ESTIMATE}'
PAPER_OBSERVER = f'first order, 135 /s, {ON_DIFFERENCES}'


class Case(NamedTuple):
    """What is different; torques: of motor_torques; stiffness: of all obstacles [N/m]."""

    torques: dict = TORQUES
    is_right: bool = False
    late: bool = True
    speed: tuple = SPEED
    stiffness: float | None = None
    joints: str | None = None
    method: str = DIRECT
    at_once: bool = False       # detected by the first reading, whatever it says
    printed: bool = False       # thresholds of the paper


IDEAL = Case(torques=EXACT, is_right=True)
CASES = {
    'as in contact_observers': Case(),
    'gains of torques right': Case(torques=TORQUES | {'drawn_scale': 0.0}),
    'no offsets of torques': Case(torques=TORQUES | {'drawn_bias': 0.0}),
    'no noise of torques': Case(torques=TORQUES | {'sigma': 0.0}),
    'torques right': Case(torques=EXACT),
    'model right': Case(is_right=True),
    'torques and model right': IDEAL,
    'IMU not late': Case(late=False),
    'IMU not late, torques and model right': IDEAL._replace(late=False),
    f'obstacles of {SOFT / 1e3:g} kN/m': Case(stiffness=SOFT),
    f'platform at {SLOW[0]:g} m/s': Case(speed=SLOW),
    f'platform at {SLOW[0]:g} m/s, obstacles of {SOFT / 1e3:g} kN/m': Case(
        speed=SLOW, stiffness=SOFT),
    **{name: Case(joints=name) for name in GIVING},
    'first reading of the late IMU after the touch': Case(at_once=True),
    'first reading of an IMU that is not late': Case(late=False, at_once=True),
    OBSERVER: Case(method=OBSERVER),
    f'{OBSERVER}, torques and model right': IDEAL._replace(method=OBSERVER),
    ON_ENCODERS: Case(method=ON_ENCODERS),
    PAPER_OBSERVER: Case(method=PAPER_OBSERVER),
    **{f'{method}, thresholds of the paper': Case(method=method, printed=True)
       for method in (DIRECT, ON_ENCODERS, PAPER_OBSERVER)},
}


def measure():
    """Return the figures."""
    rows = list(over_cases(detections, [(seed,) for seed in SEEDS]).values())
    figures = []
    for name, case in CASES.items():
        found = np.array([row[name] for row in rows if row[name]])
        missed, mean = len(rows) - len(found), found.mean(axis=0)
        label = name + f', {missed} missed' * bool(missed)
        if not case.at_once:
            figures.append(Figure(f'{label}: threshold', mean[0], 'N'))
        figures += [Figure(f'{label}: detected after', 1e3 * mean[1], 'ms'),
                    Figure(f'{label}: largest force until then', mean[2], 'N', LIMIT,
                           peer='largest of all', peer_value=found[:, 2].max())]
    return figures


def detections(seed):
    """Return {case: (threshold [N], time since the touch [s], force until then [N]), or None}."""
    return {name: detection(case, seed) for name, case in CASES.items()}


def detection(case, seed):
    """Return what detections has of a case."""
    run = collision(case.speed, case.stiffness, case.joints, seed)
    model, touch = robot() if case.is_right else wrong_robot(seed), run.first_touch()
    read = collision_read(case.speed, case.stiffness, case.joints, case.late, seed)
    limits = np.zeros(3) if case.at_once else thresholds(case, model)
    known, force = forces(case.method, measured(read, 10 * seed, **case.torques), model)
    beyond = (np.abs(force) > limits).any(axis=1) & (known > max(SETTLED, touch))
    if case.at_once:
        beyond &= (read.observed.stamps - read.experiment.stamps[0]) / NANOSECONDS >= touch
    found = known[beyond]
    return (limits[:2].max(), found[0] - touch, push(run, found[0])) if len(found) else None


@lru_cache(maxsize=8)
def collision(speed, stiffness, joints, seed):
    """Return the RobotRun of a collision of the platform."""
    found, = random_collisions(robot(), 1, 4000 + seed, kinds=('platform',), speed=speed,
                               acceleration=ACCELERATION)
    if stiffness:
        one = replace(found.script.appearances[0].collision, stiffness=stiffness)
        found = replace(found, script=CollisionScript(found.mechanism, found.trajectory, [one]))
    return collided(found, GIVING.get(joints))


@lru_cache(maxsize=16)
def collision_read(speed, stiffness, joints, late, seed):
    """Return the same, Read."""
    return Read(collision(speed, stiffness, joints, seed), 10 * seed, late)


@lru_cache(maxsize=8)
def calibration(joints, late):
    """Return the contact-free rectangle, Read."""
    return Read(contact_free(joints), CALIBRATION_SEED, late)


def thresholds(case, model):
    """Return thresholds (g): twice the largest force of the rectangle, or the paper's."""
    if case.printed:
        force, moment = PAPER[case.method]
        return np.array([force, force, moment])
    return twice_largest(case.method, measured(
        calibration(case.joints, case.late), CALIBRATION_SEED, **case.torques), model)
