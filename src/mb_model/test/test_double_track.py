"""The double-track car against the equations of its plane motion, and the single track."""

import numpy as np
import pytest

from mb_model import load_mechanism

CAR, SINGLE = load_mechanism('double_track_car'), load_mechanism('racing_car')
MASS, FRONT, REAR, TRACK = 982.0, 1.33, 1.07, 1.35
INERTIA = MASS / 12.0 * (1.7 ** 2 + 4.09 ** 2)
AXLES = {'front': (8.01e4, 4263.0), 'rear': (1.345e5, 5755.0)}


def fiala(stiffness, largest, s):
    """Return the force of a tyre at the tangent s of its slip angle (Pacejka 2012, Sec. 3.2)."""
    slides = 3.0 * largest / stiffness
    if abs(s) >= slides:
        return largest * np.sign(s)
    return largest * np.sign(s) * (1.0 - (1.0 - abs(s) / slides) ** 3)


@pytest.mark.parametrize('speeds', [(30.0, 0.6, 0.2), (20.0, -1.5, -0.5), (8.0, 0.5, 1.1)])
@pytest.mark.parametrize('angles', [(0.0, 0.0), (0.05, 0.06), (-0.03, -0.11)])
def test_its_motion_is_that_of_four_wheels(speeds, angles):
    """Forces of all wheels at their own places, turned by their own angles."""
    u, w, r = speeds
    zdd = CAR.forward_dynamics([0.0, 0.0, 0.0, *angles], [u, w, r, 0.0, 0.0])
    force, moment = np.zeros(2), 0.0
    for x, axle in ((FRONT, 'front'), (-REAR, 'rear')):
        for side, angle in zip((1.0, -1.0), angles if x > 0.0 else (0.0, 0.0), strict=True):
            y = 0.5 * side * TRACK
            way, across = (np.array([np.cos(angle), np.sin(angle)]),
                           np.array([-np.sin(angle), np.cos(angle)]))
            place = np.array([u - r * y, w + r * x])
            stiffness, largest = AXLES[axle]
            pushed = across * fiala(0.5 * stiffness, 0.5 * largest, -(across @ place) / np.hypot(
                way @ place, 0.5))
            force += pushed
            moment += x * pushed[1] - y * pushed[0]
    np.testing.assert_allclose(zdd[:2], force / MASS, atol=2e-4 * np.abs(force).max() / MASS)
    # The wheels' own inertia of 1 kg m^2 each turns with the car.
    assert zdd[2] == pytest.approx(moment / INERTIA, rel=2e-3, abs=1e-3)


def test_with_wheels_in_line_it_is_nearly_the_single_track():
    """Straight ahead both sides have the slip of the axle's middle."""
    z, zd = [0.0, 0.0, 0.0, 0.04], [30.0, 0.5, 0.05, 0.0]
    double = CAR.forward_dynamics([*z, 0.04], [*zd, 0.0])
    np.testing.assert_allclose(double[:3], SINGLE.forward_dynamics(z, zd)[:3], rtol=0.02, atol=0.02)
