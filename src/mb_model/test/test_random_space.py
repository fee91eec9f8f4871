"""Derivatives of random mechanisms in space: chains of every kind of joint, forces of every kind.

Against central differences of three steps, extrapolated to sixth order: kernels work on records of
real numbers, which a complex step cannot enter.
"""

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
import pytest
from spatial_machines import FORCES, JOINTS, OPEN, on_joint

from mb_model.mechanism import Mechanism

TRIES = settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck))
H, EXACT = 1e-3, 1e-8            # step; error of derivatives, in sizes of them and of zdd
TYRE = {'kind': 'tyre', 'body': 'base', 'at': [0.1, 0.05, 0.2], 'axis': [0.2, 1.0, 0.1],
        'radius': 0.6, 'stiffness': 20.0, 'damping': 1.0, 'cornering_stiffness': 8.0,
        'slip_stiffness': 5.0, 'friction': 4.0, 'standstill_speed': 2.0}
NUMBERS = ['bodies.body.mass', 'bodies.body.centre_of_gravity.y', 'bodies.body.inertia.3',
           'gravity.x', 'forces.strut.stiffness', 'forces.rub.coulomb', 'forces.jet.force.y',
           'forces.rubber.damping.4', 'forces.road.radius', 'forces.road.cornering_stiffness',
           'forces.road.friction']
PLACES = ['bodies.base.points.there.x', 'bodies.body.points.here.z', 'joints.stand.at.0.x',
          'joints.stand.at.1.y', 'forces.strut.at.0.x', 'forces.strut.at.1.y',
          'forces.rubber.at.0.z', 'forces.rubber.at.1.x', 'forces.road.at.y', 'forces.jet.at.y']
REAL = st.floats(-1.0, 1.0)
VECTOR = st.lists(REAL, min_size=3, max_size=3).map(np.array)


def chain(draw, kind, variable=False):
    """Return a Mechanism: a base, a body on a joint of a kind, perhaps another one on that.

    variable: whether places of its bodies may be parameters.
    """
    raw = on_joint(kind) | {'forces': FORCES | {'road': TYRE}}
    bodies, joints, coordinates = (dict(raw[key]) for key in ('bodies', 'joints', 'coordinates'))
    axis = np.array(joints['stand']['axis']) + 0.3 * draw(VECTOR)
    joints['stand'] = joints['stand'] | {'axis': axis.tolist()}
    shift = (np.array(bodies['base']['centre_of_gravity']) + 0.1 * draw(VECTOR)).tolist()
    bodies['base'] = bodies['base'] | {'centre_of_gravity': shift,
                                       'mass': 1.5 + draw(REAL)}
    further = draw(st.sampled_from([None, *(name for name in JOINTS if name not in (
        *OPEN, 'planar', 'spherical'))]))
    if further is not None:
        needs, named = JOINTS[further]
        bodies['tip'] = {'mass': 0.7, 'centre_of_gravity': (0.2 * draw(VECTOR)).tolist(),
                         'inertia': [0.05, 0.06, 0.07], 'points': {'O': [0.02, -0.1, 0.05]}}
        joints['further'] = {'kind': further, 'bodies': ['body', 'tip'],
                             'at': [(0.3 * draw(VECTOR)).tolist(), 'O']} | needs
        for name, of in named.items():
            second = {'of': 'second'} if (further, name) == ('universal', 'b') else {}
            coordinates[f'tip_{name}'] = {'kind': of, 'joint': 'further'} | second
    if variable:
        bodies = {name: body | {'variable_places': True} for name, body in bodies.items()}
    return Mechanism(raw | {'bodies': bodies, 'joints': joints, 'coordinates': coordinates},
                     f'{kind}_{further}.yaml')


def extrapolated(function, at, h=H):
    """Return the derivative of a function of a number, of sixth order."""
    first, second, third = ((function(at + s) - function(at - s)) / (2.0 * s)
                            for s in (h, h / 2, h / 4))
    fourth, better = (4.0 * second - first) / 3.0, (4.0 * third - second) / 3.0
    return (16.0 * better - fourth) / 15.0


def assert_exact(exact, expected, size):
    np.testing.assert_allclose(exact, expected, rtol=0.0, atol=EXACT * max(
        size, np.abs(expected).max(), 1.0))


@pytest.mark.parametrize('kind', JOINTS)
@TRIES
@given(data=st.data())
def test_derivatives_of_random_chains(kind, data):
    mechanism = chain(data.draw, kind)
    g = mechanism.g
    numbers = st.lists(REAL, min_size=g, max_size=g).map(np.array)
    # At speed: Fiala's curve has a kink in its slope where nothing slips.
    z, zd, forces = (mechanism.z0 + 0.05 * data.draw(numbers), 1.0 + 0.5 * data.draw(numbers),
                     3.0 * data.draw(numbers))
    near = mechanism.assemble(z)
    zdd = mechanism.forward_dynamics(z, zd, forces, near)
    by_z, by_zd = mechanism.linearise(z, zd, forces, near)
    by_force = mechanism.force_jacobian(z, zd, near)[:, [
        mechanism.coordinates.index(name) for name in mechanism.independent]]
    size = np.abs(zdd).max()
    for k, unit in enumerate(np.eye(g)):
        for exact, moved in (
                (by_z, lambda s, e=unit: mechanism.forward_dynamics(z + s * e, zd, forces, near)),
                (by_zd, lambda s, e=unit: mechanism.forward_dynamics(z, zd + s * e, forces, near)),
                (by_force, lambda s, e=unit: mechanism.forward_dynamics(z, zd, forces + s * e,
                                                                        near))):
            assert_exact(exact[:, k], extrapolated(moved, 0.0), size)
    require_derivative(mechanism, data.draw(st.sampled_from(NUMBERS)), z, zd, forces, near)


@pytest.mark.parametrize('kind', JOINTS)
@TRIES
@given(data=st.data())
def test_derivatives_by_places_of_random_chains(kind, data):
    mechanism = chain(data.draw, kind, variable=True)
    numbers = st.lists(REAL, min_size=mechanism.g, max_size=mechanism.g).map(np.array)
    z, zd, forces = (mechanism.z0 + 0.05 * data.draw(numbers), 1.0 + 0.5 * data.draw(numbers),
                     3.0 * data.draw(numbers))
    places = PLACES if kind != 'weld' else PLACES[2:]      # those before it are welded
    require_derivative(mechanism, data.draw(st.sampled_from(places)), z, zd, forces,
                       mechanism.assemble(z))


def require_derivative(mechanism, name, z, zd, forces, near):
    """Compare the derivative by a parameter with differences of changed files."""
    exact = mechanism.parameter_jacobian(z, zd, [name], forces, near)[:, 0]

    def changed(value):
        model = mechanism.replace(**override(mechanism.raw, name.split('.'), float(value)))
        return model.forward_dynamics(z, zd, forces, near)

    value = mechanism.parameter_records([name])['value'][0]
    size = np.abs(mechanism.forward_dynamics(z, zd, forces, near)).max()
    assert_exact(exact, extrapolated(changed, value, H * max(abs(value), 0.1)), size)


def override(raw, keys, value):
    """Return overrides that put a value in the place of the number at keys."""
    key, *rest = keys
    if isinstance(raw, (list, tuple)):
        place = 'xyz'.index(key) if key in 'xyz' else int(key)
        return [(override(old, rest, value) if rest else value) if k == place else old
                for k, old in enumerate(raw)]
    return {key: override(raw[key], rest, value) if rest else value}
