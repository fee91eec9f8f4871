"""Files of MSC Adams: frames, moments of inertia, and what is not supported or wrong."""

from contextlib import suppress

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mb_model import Mechanism
from mb_model.file_api import AdamsError, adams_model
from mb_model.mechanism_file.expressions import evaluate

TEXT = """a title with JOINT/1, REVOLUTE
! a comment
PART/01, GROUND
PART/02, MASS = 1 , CM = 0201
, IP = 0.04, 0.1, 0.1
MARKER/0101, PART = 01
MARKER/0102, PART = 01
, QP = 0, -.4, 1E-1          ! 10 cm
, REULER = 90D, 30D, -1.5
MARKER/0201, PART = 02, QP = 2, 0, 0
MARKER/0202, PART = 02, QP = 0, -.4, .1, REULER = 90D, 30D, -1.5
JOINT/1, REVOLUTE
, I = 0102, J = 0202
GRAPHICS/1, CYLINDER, CM = 9999
ACCGRAV/
, KGRAV = -9.80665
END
"""


def test_a_file_is_a_mechanism():
    model = adams_model(TEXT, 'a.adm')
    hinge = model.raw['joints']['joint1']
    axis = Rotation.from_euler('ZXZ', [np.pi / 2, np.pi / 6, -1.5]).as_matrix()
    np.testing.assert_allclose(hinge['axes'], [axis[:, 2]] * 2, atol=1e-15)
    np.testing.assert_allclose(hinge['references'], [axis[:, 0]] * 2, atol=1e-15)
    assert hinge['bodies'] == ['part2', 'ground']
    assert hinge['at'] == [[0.0, -0.4, 0.1]] * 2
    assert model.raw['gravity'] == [0.0, 0.0, -9.80665]
    assert Mechanism(model.raw, 'a.adm').g == 1


def test_parts_have_frames_of_their_own():
    """Places of markers are in them."""
    model = adams_model(TEXT.replace('MASS = 1', 'MASS = 1, QG = 0, 0, 5, REULER = 90D, 0, 0')
                        .replace('JOINT/1', 'LIST/1'), 'a.adm')
    body = Mechanism(model.raw, 'a.adm')
    centre = body.body_motion('part2', body.q0).position_of(body.bodies['part2'].centre_of_gravity)
    np.testing.assert_allclose(centre, [0.0, 2.0, 5.0], atol=1e-12)


def test_inertia_is_about_its_marker_with_positive_products(rng):
    """Of point masses, in the axes of a turned marker away from the centre of gravity."""
    masses, places = rng.uniform(0.5, 2.0, 6), rng.normal(size=(6, 3))
    mass, centre = masses.sum(), masses @ places / masses.sum()
    at, angles = np.array([0.3, -0.2, 0.5]), (0.4, 1.1, -0.7)
    seen = (places - at) @ Rotation.from_euler('ZXZ', angles).as_matrix()
    second = np.einsum('k,ki,kj->ij', masses, seen, seen)
    moments = [np.trace(second) - second[k, k] for k in range(3)]
    numbers = [*moments, second[0, 1], second[0, 2], second[1, 2]]

    def text(values):
        return ', '.join(f'{value:.17g}' for value in values)

    model = adams_model(f'points\nPART/2, MASS = {mass:.17g}, CM = 1, IM = 2\n'
                        f', IP = {text(numbers)}\nMARKER/1, PART = 2, QP = {text(centre)}\n'
                        f'MARKER/2, PART = 2, QP = {text(at)}, REULER = {text(angles)}', 'p.adm')
    arms = places - centre
    inertia = sum(one * (arm @ arm * np.eye(3) - np.outer(arm, arm))
                  for one, arm in zip(masses, arms, strict=True))
    found = Mechanism(model.raw, 'p.adm').bodies['part2'].inertia
    np.testing.assert_allclose(found, inertia, atol=1e-12)


@pytest.mark.parametrize(('old', 'new', 'why'), [
    ('ACCGRAV/', 'BUSHING/3, I = 1\nACCGRAV/', r'a.adm:15: BUSHING/3: not supported, supported'),
    ('END', 'UNITS/, LENGTH = MILLIMETER', 'LENGTH = MILLIMETER: only METER'),
    ('REVOLUTE\n, I', 'SCREW, I', 'JOINT/1: SCREW: not supported, supported are REVOLUTE'),
    ('I = 0102', 'I = 0103', 'JOINT/1: I = 103: there is no such marker'),
    ('J = 0202', 'J = 0202, PD = 3', 'PD: not supported, supported are I, J'),
    (', J = 0202', '', 'JOINT/1: J: missing'),
    ('PART = 02, QP', 'PART = 03, QP', 'MARKER/201: PART = 3: there is no such part'),
    ('IP = 0.04, 0.1, 0.1', 'IP = 0.04, 0.1', 'IP: 2 numbers, expected 3 or 6'),
    ('MASS = 1', 'MASS = heavy', "MASS: 'heavy' is no number"),
    ('MASS = 1', 'MASS = 1E999', 'MASS: 1E999 is too large'),
    ('CM = 0201', 'CM = 0102', 'CM and IM must be markers of the part'),
    ('PART/02', 'PART/two', "'PART/two': expected a statement such as PART/2"),
    ('MARKER/0102', 'MARKER/0101', 'MARKER/101: there are two of it'),
    ('END', 'MOTION/1, JOINT = 2, ROTATION, FUNCTION = 30D*TIME', 'JOINT: there is no joint2'),
    ('END', 'MOTION/1, JOINT = 1, VELOCITY, FUNCTION = 1', 'expected one of ROTATION'),
    ('END', 'GCON/1, I = 0102, FUNCTION = DX(0202, 0102)-2', 'expected a distance'),
    ('END', 'GCON/1, I = 0102, FUNCTION = 2*DM(0202, 0102)-2', 'expected DM'),
    ('END', 'SFORCE/1, ROTATIONAL, I = 0101, J = 0201, FUNCTION = -AZ(101, 201)',
     'no joint with an angle'),
    ('END', 'SFORCE/1, TRANSLATIONAL, I = 0101, J = 0201, FUNCTION = -DM(101, 201)*VR(101, 201)',
     'is no sum of a function of the coordinate and one of its rate'),
    ('END', 'SFORCE/1, TRANSLATIONAL, I = 0101, J = 0201, FUNCTION = -STEP(1)',
     "calls the unknown 'step'")])
def test_what_cannot_be_read_is_reported(old, new, why):
    assert old in TEXT
    with pytest.raises(AdamsError, match=why):
        adams_model(TEXT.replace(old, new, 1), 'a.adm')


def test_angles_of_motions_are_in_radians():
    model = adams_model(TEXT.replace(
        'END', 'MOTION/1, JOINT = 1, ROTATION, FUNCTION = 30.0D*TIME+1.5E0D'), 'a.adm')
    driven = Mechanism(model.raw, 'a.adm')
    angle = driven.coordinates.index('motion1')
    assert driven.assemble([], t=2.0)[angle] == pytest.approx(np.radians(61.5))


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=60), place=st.integers(0, len(TEXT)), cut=st.integers(0, 30))
def test_damaged_files_raise_errors_of_their_own(text, place, cut):
    damaged = TEXT[:place] + text + TEXT[place + cut:]
    for one in (damaged, text):
        with suppress(AdamsError):
            adams_model(one, 'damaged.adm')


def test_a_spring_of_any_shape_is_a_characteristic():
    law = '-(50 + 10 * ABS(DM(102, 202) - 2)) * (DM(102, 202) - 2) - 5 * VR(102, 202)'
    model = adams_model(TEXT.replace(
        'END', f'SFORCE/1, TRANSLATIONAL, I = 0102, J = 0202, FUNCTION = {law}', 1), 'a.adm')
    spring, = model.raw['forces'].values()
    assert spring['kind'] == 'characteristic'
    for x, v in ((3.0, 0.0), (1.0, 2.0), (2.5, -1.0)):
        force = (evaluate(spring['of_coordinate'], {'x': x})
                 + evaluate(spring['of_rate'], {'v': v}))
        assert force == pytest.approx(-(50 + 10 * abs(x - 2)) * (x - 2) - 5 * v)
