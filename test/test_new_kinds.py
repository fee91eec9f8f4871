"""Constraints, forces and formulations that another package adds, one file each, are known by all.

The files in new_kinds are such a package: entry points name them.  Kernels are compiled for them
once, in a cache of their own.
"""


from installed_kinds import made_with
import numpy as np
import pytest
from scipy.integrate import solve_ivp

MASS, CURVATURE, DRAG, GRAVITY = 2.0, 0.4, 0.3, 9.81      # as in bead.yaml

pytestmark = [pytest.mark.timeout(900), pytest.mark.whole]


@pytest.fixture(scope='module')
def made(request, tmp_path_factory):
    """What new_kinds/use.py prints where the kinds are installed."""
    cache = getattr(request.config, 'cache', None)      # pytest may run without one
    kept = cache.mkdir('new_kinds') if cache else tmp_path_factory.mktemp('cache')
    return made_with('use.py', tmp_path_factory.mktemp('site'), {
        'mb_model.constraints.kinds': 'parabola', 'mb_model.forces.kinds': 'drag',
        'mb_model.formulations.kinds': 'relaxed'}, NUMBA_OPT='1', NUMBA_CACHE_DIR=str(kept))


def acceleration(x, xd):
    """Return xdd of a point mass on the parabola in the air."""
    steep = 1.0 + (2.0 * CURVATURE * x) ** 2
    return (-(4.0 * CURVATURE ** 2 * x * xd ** 2 + 2.0 * CURVATURE * GRAVITY * x) / steep
            - DRAG / MASS * abs(xd) * np.sqrt(steep) * xd)


def test_files_with_the_kinds_are_read_and_compiled(made):
    assert made['kinds'] == ['PARABOLA', 'DRAG']
    np.testing.assert_allclose(made['q0'][:2], [0.8, CURVATURE * 0.64], atol=1e-12)
    assert made['shapes'] > 0


def test_the_page_of_mechanism_files_lists_them(made):
    for text in ('### kind: parabola', 'A point stays on a parabola.', '| `curvature` |',
                 '### kind: drag', '| `coefficient` | a number >= 0 | required |'):
        assert text in made['page']


def test_accelerations_and_their_derivatives(made):
    np.testing.assert_allclose(made['zdd'], [acceleration(0.8, 1.2), 0.0], atol=1e-9)
    for exact, differences in zip(made['derivatives'], made['differences'], strict=True):
        np.testing.assert_allclose(exact, differences, atol=1e-6)
    assert np.all(np.abs(np.array(made['derivatives'][2])[0]) > 0.1)


def test_motions_of_the_library_and_of_the_multibody_prototype(made):
    truth = solve_ivp(lambda t, state: (state[1], acceleration(*state)), (0.0, 1.5), (0.8, 1.2),
                      rtol=1e-10, atol=1e-12).y[:, -1]
    for (x, theta), (xd, thetad) in (made['end'], made['prototype']):
        np.testing.assert_allclose([x, xd], truth, atol=2e-5)
        np.testing.assert_allclose([theta, thetad], [1.5 * 0.7, 0.7], atol=1e-9)


def test_energy_that_the_air_takes(made):
    assert made['lost'] > 0.5
    assert made['drift'] < 1e-4


def test_reactions(made):
    force = MASS * np.add(made['qdd'][:2], [0.0, GRAVITY])
    np.testing.assert_allclose(made['pin'], force, atol=1e-6)
    speed = 1.2 * np.array([1.0, 2.0 * CURVATURE * 0.8])
    drag = -DRAG * np.linalg.norm(speed) * speed
    # Wire and air push the pin as hard as the pin the bead.
    wire = -np.array([-2.0 * CURVATURE * 0.8, 1.0]) * made['multiplier'][0]
    np.testing.assert_allclose(wire + drag, force, atol=1e-6)


@pytest.mark.parametrize(('what', 'words'), [
    ('point', "constraints.wire.point: 'X': unknown point, expected one of P, Q"),
    ('key', 'forces.air.size: unknown key, expected one of kind, point, coefficient'),
    ('bound', 'forces.air.coefficient: -1.0 must be >= 0'),
    ('kind', "constraints.wire.kind: 'helix': unknown kind of constraint, expected one of "
             'linear, prescribed, rolling, slider, welded_angle, parabola'),
    ('semi_recursive', 'constraints.wire: the semi_recursive formulation knows sliders and welded '
                       'angles only'),
    ('mujoco', 'constraints.wire: the MuJoCo prototype knows no parabola, take the multibody one'),
    ('mujoco, force', 'forces.air: the MuJoCo prototype knows no drag, take the multibody one')])
def test_what_is_wrong_or_refused_is_reported(made, what, words):
    assert words in made['errors'][what]


def test_steps_inverse_dynamics_and_reactions_of_the_formulation(made):
    relaxed = made['relaxed']
    truth = solve_ivp(lambda t, state: (state[1], acceleration(*state)), (0.0, 1.5), (0.8, 1.2),
                      rtol=1e-10, atol=1e-12).y[:, -1]
    (x, theta), (xd, thetad) = relaxed['end']
    np.testing.assert_allclose([x, xd], truth, atol=1e-6)
    np.testing.assert_allclose([theta, thetad], [1.5 * 0.7, 0.7], atol=1e-9)
    for name in ('qdd', 'pin'):
        np.testing.assert_allclose(relaxed[name], made[name], atol=1e-6)
    np.testing.assert_allclose(relaxed['forces'], made['forces'], atol=1e-6)


def test_the_formulation_is_listed(made):
    relaxed = made['relaxed']
    assert ('| `relaxed`: constraints that yield a very little | all coordinates | '
            'all but `exponential...` | `natural_frequency`, `damping_ratio` |') in relaxed['table']
    assert 'relaxed' in relaxed['help'].partition('--formulation')[2]
    assert relaxed['dense only'].startswith('formulation: relaxed: not for large mechanisms')
