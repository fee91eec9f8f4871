"""Compile kernels of mb_contact into numba's cache; the packages below have their own warm_up.

python -m mb_contact.warm_up
"""

from time import perf_counter

import numpy as np

from mb_contact.detection.detector import ContactDetector
from mb_contact.external_force import DirectMethod, MomentumObserver
from mb_contact.isolation.isolation import Isolation
from mb_contact.payload.estimator import PayloadEstimator
from mb_contact.payload.mass_equations import MassEquations
from mb_contact.payload.payload_settings import PayloadSettings
from mb_model import load_mechanism
from mb_model.jit import compile_ahead, uncollected

_STAMP = 1_000_000_000


def warm_up() -> None:
    """Call all kernels of mb_contact once; the first call compiles."""
    warm_up_external_force()
    warm_up_detection()
    warm_up_isolation()
    warm_up_payload()


@uncollected()
def warm_up_external_force() -> None:
    """Call both methods with a state at rest."""
    pendulum = load_mechanism('pendulum')
    z, rest = pendulum.z0, np.zeros(1)
    MomentumObserver(pendulum, pendulum.independent).update(1e-3, z, rest, rest)
    DirectMethod(pendulum, pendulum.independent).force(z, rest, rest, rest)


@uncollected()
def warm_up_detection() -> None:
    """Call a detector with one state and with many, of a machine in space."""
    robot = load_mechanism('delta')
    detector, z, rest, P = ContactDetector(robot), robot.z0, np.zeros(3), 1e-8 * np.eye(9)
    for stamp in (_STAMP, _STAMP + 1_000_000):
        detector.update(stamp, z, rest, rest, P, rest)
    detector.run([2 * _STAMP], z[None], rest[None], rest[None], P[None], rest[None])


@uncollected()
def warm_up_isolation() -> None:
    """Judge a force on a robot at rest."""
    robot = load_mechanism('three_rrr')
    isolation = Isolation(robot)
    isolation.update(_STAMP, np.zeros(3), np.ones(3), np.eye(3))
    isolation.hypotheses(robot.z0, robot.q0)


@uncollected()
def warm_up_payload() -> None:
    """Call a payload estimator with one estimate and with many."""
    crane = load_mechanism('crane')
    z, rest, p, P = crane.z0, np.zeros(1), crane.circuit.p0, np.eye(6)
    for method in ('low_pass', 'window_least_squares'):
        estimator = PayloadEstimator(crane, ['load'], PayloadSettings(method=method))
        estimator.update(_STAMP, z, rest, rest, p, P)
        estimator.run(np.array([2 * _STAMP]), z[None], rest[None], rest[None], p[None], P[None])
    MassEquations(crane, ['load']).at(z, rest, rest, crane.q0, p, P)


@uncollected(for_good=True)
def main() -> None:
    """Warm the cache and print how long it took."""
    start = perf_counter()
    compile_ahead()
    warm_up()
    print(f'mb_contact: kernels ready after {perf_counter() - start:.1f} s')


if __name__ == '__main__':
    main()
