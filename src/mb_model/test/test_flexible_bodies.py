"""Flexible bodies in the plane against closed forms; in plane and space alike by differences."""

from copy import deepcopy
from math import pi, sqrt
import operator

from by_differences import by_state, slope
import flexible_machines as machines
from flexible_machines import bent_state, frequencies
import numpy as np
import pytest

from mb_model import MechanismError, apply_model_errors, make_stepper, simulate
from mb_model.beams.beam import Beam
from mb_model.beams.families import FAMILIES
from mb_model.file_api import parameter_overrides
from mb_model.integration.registry import FORMULATIONS
from mb_model.kernels.parameters import set_parameter
from mb_model.mechanism import Mechanism, load_mechanism

NAME = operator.itemgetter('name')
MACHINES = pytest.mark.parametrize('raw', machines.MACHINES, ids=NAME)
FLEXIBLE = [name for name in FORMULATIONS if name != 'semi_recursive']
# b of frequencies b^2 sqrt(EI / (m L^3)): Blevins 1979, Table 8-1.
PINNED_FREE = 3.92660231, 7.06858275
CLAMPED_FREE = 1.87510407, 4.69409113
UNIT = sqrt(100.0 / (3.0 * 2.0 ** 3))       # sqrt(EI / (m L^3)) of the pendulum


def pendulum(**flexible):
    """Return the pendulum, without gravity, with other keys of its beam."""
    raw = deepcopy(machines.PENDULUM) | {'gravity': [0.0, 0.0]}
    raw['bodies']['arm']['flexible'] |= flexible
    return Mechanism(raw, 'flexible_pendulum.yaml')


def test_beams_with_held_ends_vibrate_as_sines():
    beam = Beam(2.0, 3.0, 100.0, [FAMILIES['pinned'](k) for k in (1, 2, 3)], 0.0)
    np.testing.assert_allclose(beam.frequencies, (pi * np.arange(1, 4)) ** 2 * UNIT, rtol=1e-12)


@pytest.mark.parametrize('modes', [1, 2])
def test_a_pinned_free_beam_has_its_frequencies(modes):
    found = frequencies(pendulum(shapes='free', modes=modes))
    np.testing.assert_allclose(found, np.square(PINNED_FREE[:modes]) * UNIT, rtol=1e-7)


def test_sines_come_near_a_pinned_free_beam_from_above():
    found = np.array([frequencies(pendulum(modes=modes))[0] for modes in (1, 2, 3)])
    exact = PINNED_FREE[0] ** 2 * UNIT
    assert (np.diff(found) < 0.0).all()
    assert (found > exact).all()
    assert found[-1] < 1.0005 * exact


@pytest.mark.parametrize('modes', [1, 2])
def test_a_clamped_beam_has_its_frequencies(modes):
    mechanism = pendulum(shapes='clamped', modes=modes)
    slopes = mechanism.bodies['arm'].beam.slope(0.0)
    held = mechanism.replace(independent=list(mechanism.bodies['arm'].modes), constraints={'held': {
        'kind': 'linear', 'terms': {'theta': 1.0} | dict(zip(
            mechanism.bodies['arm'].modes, slopes.tolist(), strict=True))}})
    np.testing.assert_allclose(frequencies(held), np.square(CLAMPED_FREE[:modes]) * UNIT, rtol=1e-7)


def test_a_table_of_a_shape_is_that_shape(tmp_path):
    x = np.linspace(0.0, 5.0, 41)
    rows = np.array([np.sin(pi * x / 5.0) + 0.3 * x, np.sin(2.0 * pi * x / 5.0) + 1.0])
    raw = deepcopy(machines.PENDULUM)
    raw['bodies']['arm']['flexible'] = {
        'bending_stiffness': 100.0, 'table': {'x': x.tolist(), 'deflections': rows.tolist()}}
    known = Mechanism(machines.PENDULUM, 'known').bodies['arm'].beam
    found = Mechanism(raw, 'table').bodies['arm'].beam
    np.testing.assert_allclose(found.frequencies, known.frequencies, rtol=1e-5)
    np.testing.assert_allclose(found.curvature(0.7), known.curvature(0.7), rtol=3e-3)
    (tmp_path / 'modes.csv').write_text('x,one,two\n' + '\n'.join(
        ','.join(map(repr, line)) for line in np.vstack([x, rows]).T.tolist()))
    raw['bodies']['arm']['flexible']['table'] = 'modes.csv'
    (tmp_path / 'own.yaml').write_text(str(raw))
    read = load_mechanism(tmp_path / 'own.yaml')
    np.testing.assert_array_equal(read.bodies['arm'].beam.frequencies, found.frequencies)
    assert Mechanism(read.raw, 'again').bodies['arm'].beam.modes == 2


@pytest.mark.parametrize('seed', range(4))
@pytest.mark.parametrize('modes', [1, 2, 3])
def test_accelerations_are_those_of_the_integrals_along_the_beam(modes, seed):
    raw = deepcopy(machines.PENDULUM)
    raw['bodies']['arm']['flexible']['modes'] = modes
    mechanism, truth = Mechanism(raw, 'pendulum'), machines.PinnedBeam(modes)
    z, zd, _ = bent_state(mechanism, seed)
    np.testing.assert_allclose(mechanism.forward_dynamics(z, zd), truth.acceleration(z, zd),
                               rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(mechanism.reactions(z, zd).forces['arm']['A'],
                               truth.pin_force(z, zd), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize('formulation', FLEXIBLE)
@MACHINES
def test_formulations_agree(raw, formulation):
    mechanism = Mechanism(raw, raw['name'])
    end, rates = (0.1, 5e-3) if mechanism.dimension == 3 else (0.3, 2e-3)
    found = simulate(mechanism, end, 2e-4, formulation, FORMULATIONS[formulation].integrators[0])
    known = simulate(mechanism, end, 2e-4, 'matrix_r', 'rk4')
    np.testing.assert_allclose(found.z[-1], known.z[-1], atol=2e-5)
    np.testing.assert_allclose(found.zd[-1], known.zd[-1], atol=rates)


@pytest.mark.parametrize(('raw', 'change', 'end', 'error', 'bent'), [
    (machines.PENDULUM, {'bodies': {'arm': {'flexible': {'bending_stiffness': 20.0}}}}, 1.0,
     1e-7 * 27.0, 0.05),
    (machines.ROBOT, {'bodies': {'arm': {'flexible': {'damping_ratio': 0.0}}},
                      'start_velocity': {'turn': 3.0}}, 0.5, 1e-6 * 10.0, 0.02)])
def test_energy_is_kept(raw, change, end, error, bent):
    mechanism = Mechanism(raw, raw['name']).replace(**change)
    run = simulate(mechanism, end, 5e-4, 'matrix_r', 'rk4')
    energy = [sum(mechanism.energy(z, zd)) for z, zd in zip(run.z, run.zd, strict=True)]
    assert np.ptp(energy) < error
    rigid = len(raw['independent'])
    assert np.abs(run.z[:, rigid:]).max() > bent


def test_a_mode_with_a_damping_ratio_decays_as_it_says():
    mechanism = pendulum(shapes='pinned', modes=1, damping_ratio=0.05)
    mechanism = mechanism.replace(
        points={'E': {'fixed': [5.2, 0.1]}}, independent=[],
        constraints={'held': {'kind': 'prescribed', 'coordinate': 'theta', 'motion': '0'}})
    A, B = mechanism.linearise(mechanism.z0, mechanism.zd0)
    assert B[0, 0] / (-2.0 * sqrt(-A[0, 0])) == pytest.approx(0.05, rel=1e-9)


@pytest.mark.parametrize('seed', range(3))
def test_a_further_point_is_carried_by_its_section(seed):
    """Place C = (x, y) moves with the deflection, and turns with the slope, at x."""
    mechanism = Mechanism(machines.SLIDER_CRANK, 'crank')
    rng = np.random.default_rng(seed)
    z = mechanism.z0 + 0.05 * rng.normal(size=mechanism.g)
    q = mechanism.assemble(z)
    P, S, C = (q[k:k + 2] for k in map(mechanism.point_index, 'PSC'))
    along = (S - P) / 1.5       # bending makes it shorter than 1
    across, size = np.array([-along[1], along[0]]), along @ along
    k = np.array([1.0, 2.0]) * pi / 1.5
    bent, slope = z[2:] @ np.sin(0.6 * k), z[2:] @ (k * np.cos(0.6 * k))
    known = P + 0.6 * along + ((0.1 + bent) * across - 0.1 * slope * along) / size
    np.testing.assert_allclose(C, known, atol=1e-9)


@MACHINES
@pytest.mark.parametrize('seed', range(2))
def test_derivatives_are_those_of_the_acceleration(raw, seed):
    mechanism = Mechanism(raw, raw['name'])
    z, zd, forces = bent_state(mechanism, seed)
    for found, expected in zip(mechanism.linearise(z, zd, forces),
                               by_state(mechanism, z, zd, 1e-3, forces, order=4), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6 * np.abs(found).max())


@pytest.mark.parametrize(('raw', 'name'), [
    *((machines.SLIDER_CRANK, name) for name in (
        'bodies.rod.mass', 'bodies.rod.flexible.bending_stiffness', 'stiffness')),
    *((machines.ROBOT, name) for name in (
        'bodies.arm.mass', 'bodies.arm.flexible.bending_stiffness.about_y',
        'bodies.arm.flexible.torsion.stiffness', 'bodies.arm.flexible.axial_inertia',
        'stiffness'))])
def test_mass_and_stiffness_are_parameters(raw, name):
    mechanism = Mechanism(raw, raw['name'])
    beam = next(body for body, entry in raw['bodies'].items() if 'flexible' in entry)
    mechanism = mechanism.replace(bodies={beam: {'flexible': {'damping_ratio': 0.0}}})
    z, zd, forces = bent_state(mechanism, 1)
    record = mechanism.parameter_records([name])
    start = float(record['value'][0])
    step = 1e-2 * start

    def changed(h):
        return mechanism.replace(**parameter_overrides(mechanism, {name: start + h}))

    expected = slope(lambda h: changed(h).forward_dynamics(z, zd, forces), step)
    found = mechanism.parameter_jacobian(z, zd, [name], forces)[:, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())
    model = mechanism.model.copy()
    set_parameter(model[0], record[0], start + step)
    for field in ('body_mass', 'body_centre', 'body_inertia', 'solid_mass', 'solid_inertia',
                  'force_value'):
        np.testing.assert_allclose(model[field], changed(step).model[field], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize('raw', [machines.SLIDER_CRANK, machines.ROBOT], ids=NAME)
def test_large_machines_have_flexible_bodies_too(raw):
    dense, sparse = (simulate(Mechanism(raw, raw['name'], storage), 0.1, 1e-3, 'index3_al',
                              'trapezoidal') for storage in ('dense', 'sparse'))
    np.testing.assert_allclose(sparse.z, dense.z, atol=1e-8 if raw.get('dimension') else 1e-9)


def test_modes_are_chosen_as_degrees_of_freedom():
    raw = deepcopy(machines.SLIDER_CRANK)
    del raw['independent']
    assert {'rod.mode1', 'rod.mode2'} < set(Mechanism(raw, 'crank').independent)


@pytest.mark.parametrize(('body', 'message'), [
    ({'flexible': {'bending_stiffness': None}}, 'bodies.arm.flexible.bending_stiffness: missing'),
    ({'flexible': {'bending_stiffness': -1.0}}, 'bending_stiffness: -1.0 must be > 0'),
    ({'flexible': {'modes': 1.5}}, r'bodies.arm.flexible.modes: 1.5 must be a whole number'),
    ({'flexible': {'modes': 4}}, 'bodies.arm.flexible.modes: 4 must be <= 3'),
    ({'flexible': {'shapes': 'bent'}}, "flexible.shapes: 'bent' must be pinned, free or clamped"),
    ({'flexible': {'size': 2}}, 'flexible.size: unknown key, expected one of bending_stiffness'),
    ({'inertia': 1.0, 'centre_of_gravity': [1.0, 0.0]},
     'centre_of_gravity: not of a flexible body'),
    ({'shape': {'kind': 'disc', 'radius': 0.1}},
     'bodies.arm.shape: not of a flexible body'),
    ({'mass': 0.0}, 'bodies.arm.flexible: mass: 0 must be > 0 of a beam'),
    ({'flexible': {'modes': None, 'table': 'modes.csv'}},
     r'modes.csv: a file is read for mechanisms'),
    ({'flexible': {'modes': None, 'table': {'x': [0.0, 2.0, 1.0, 3.0],
                                            'deflections': [[0.0] * 4]}}},
     'table.x: must begin with 0 and ascend'),
    ({'flexible': {'modes': None, 'table': {'x': [0.0, 1.0, 2.0, 3.0],
                                            'deflections': [[0.0] * 3]}}},
     r'deflections\[0\]: 3 numbers must be 4, one for each x'),
    ({'flexible': {'modes': None, 'table': {'x': [0.0, 1.0, 2.0, 3.0], 'deflections': [
        [0.0, 1.0, 1.0, 0.0], [0.0, 2.0, 2.0, 0.0]]}}}, 'flexible: shapes depend on each other'),
    ({'flexible': {'modes': None, 'table': {'x': [0.0, 1.0, 2.0, 3.0], 'deflections': [
        [0.0, 1.0, 2.0, 3.0]]}}}, 'flexible.table: a shape without deflection'),
])
def test_wrong_entries_are_reported(body, message):
    with pytest.raises(MechanismError, match=message):
        Mechanism(machines.PENDULUM, 'own.yaml').replace(bodies={'arm': body})


def test_points_beside_a_beam_and_too_many_modes_for_points_are_reported():
    machine = Mechanism(machines.SLIDER_CRANK, 'own.yaml')
    with pytest.raises(MechanismError, match=r'bodies.rod.points.C: \[1.6, 0.1\] must be \[x, y\]'):
        machine.replace(bodies={'rod': {'points': {'C': [1.6, 0.1]}}})
    with pytest.raises(MechanismError, match=r'bodies.rod.flexible: 3 modes must be 2 at most'):
        machine.replace(bodies={'rod': {'flexible': {'modes': 3}}})


@pytest.mark.parametrize(('text', 'message'), [
    ('x,one\n0,0\n1,two\n', 'each line must have 2 numbers'), ('', 'the first line must be x'),
    ('x,one\n0,0\n1\n', 'each line must have 2 numbers'), (None, 'No such file')])
def test_wrong_tables_are_reported(tmp_path, text, message):
    raw = deepcopy(machines.PENDULUM)
    raw['bodies']['arm']['flexible'] = {'bending_stiffness': 1.0, 'table': 'modes.csv'}
    (tmp_path / 'own.yaml').write_text(str(raw))
    if text is not None:
        (tmp_path / 'modes.csv').write_text(text)
    with pytest.raises(MechanismError, match=rf'own.yaml: bodies.arm.flexible.table: .*{message}'):
        load_mechanism(tmp_path / 'own.yaml')


def test_a_table_elsewhere_is_refused(tmp_path):
    raw = deepcopy(machines.PENDULUM)
    raw['bodies']['arm']['flexible'] = {'bending_stiffness': 1.0, 'table': '../modes.csv'}
    (tmp_path / 'own.yaml').write_text(str(raw))
    with pytest.raises(MechanismError, match=r'must be the name of a .csv file beside this one'):
        load_mechanism(tmp_path / 'own.yaml')


@pytest.mark.parametrize('raw', [machines.PENDULUM, machines.ROBOT], ids=NAME)
def test_joint_coordinates_are_refused(raw):
    with pytest.raises(MechanismError, match=r'semi_recursive: not with flexible bodies: arm'):
        make_stepper(Mechanism(raw, 'own.yaml'), 'semi_recursive')


def test_errors_of_the_start_leave_beams_straight():
    mechanism = Mechanism(machines.PENDULUM, 'own.yaml')
    wrong = apply_model_errors(mechanism, {'z0': 0.1})
    np.testing.assert_allclose(wrong.z0 - mechanism.z0, [0.1, 0.0, 0.0])
