"""Observability against sums and Lyapunov equations of linear systems, and against simulation."""

from types import SimpleNamespace

from free_motion import FLYWHEEL
from hypothesis import given, strategies as st
import numpy as np
import pytest
from scipy.linalg import solve_discrete_lyapunov

from mb_estimators.commands.observability import advice, main
from mb_estimators.experiment import Experiment
from mb_estimators.filter import DivergenceError
from mb_estimators.observability.gramian import Gramian, square_roots
from mb_estimators.observability.local import local_observability
from mb_estimators.observability.states import States
from mb_estimators.observability.study import observability
from mb_model import load_mechanism, simulate

OTHER_WHEEL = {                  # kg m^2: 1, about O, beside the flywheel; nothing reads it
    'points': {'Q': {'start': [1.0, 0.0]}},
    'bodies': {'other': {'points': ['O', 'Q'], 'length': 1.0, 'mass': 3.0}},
    'coordinates': {'phi': {'kind': 'angle', 'body': 'other'}},
    'independent': ['theta', 'phi'], 'start': {'phi': 0.1}, 'start_velocity': {'phi': 1.0}}
STATES = States(('a', 'b'), ('m', 'm'), np.array([1.0, 1.0]))


def test_information_of_a_stable_system_solves_its_lyapunov_equation():
    F = np.array([[0.9, 0.2], [-0.1, 0.8]])
    H, variance = np.array([[1.0, 0.5]]), 0.04
    sensitivity = np.array([H @ np.linalg.matrix_power(F, k) for k in range(400)])
    gramian = Gramian(STATES, square_roots(
        sensitivity, np.ones((400, 1), bool), np.array([variance]), STATES.sizes), 0.1)
    exact = solve_discrete_lyapunov(F.T, H.T @ H / variance)
    assert gramian.matrix == pytest.approx(exact)
    assert gramian.deviations == pytest.approx(np.sqrt(np.diag(np.linalg.inv(exact))))
    assert gramian.condition == pytest.approx(np.linalg.cond(exact))


@given(strong=st.floats(1.0, 12.0), weak=st.floats(-4.0, 0.0), angle=st.floats(0.0, np.pi))
def test_accurate_readings_of_one_direction_round_nothing_away(strong, weak, angle):
    """What is weaker by up to eleven orders is known as it is without them."""
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    rows = np.array([[10.0 ** min(strong, weak + 11.0) * along], [10.0 ** weak * across]])
    gramian = Gramian(STATES, square_roots(
        rows, np.ones((2, 1), bool), np.ones(1), np.ones(2)), 1e5)
    assert gramian.rank == 2
    assert gramian.eigenvalues[0] == pytest.approx(100.0 ** weak, rel=0.1)


def test_more_readings_never_determine_less():
    """A platform on six legs by their encoders, and with accelerometers and a gyroscope beside."""
    stewart = load_mechanism('stewart_legs')
    run = simulate(stewart, 0.05, 0.001)
    encoders = local_observability(run, ['encoders'], 0.005, 10)
    more = local_observability(run, ['encoders', 'imu'], 0.005, 10)
    assert (encoders.ranks == 18).all()
    assert (more.ranks == 18).all()
    assert (more.deviations <= encoders.deviations * (1.0 + 1e-6)).all()


@pytest.mark.parametrize('kind', ['analytic', 'empirical', 'simple'])
def test_flywheel_is_known_as_line_fitting_says(kind):
    """Angle readings at 200 Hz fit a straight line: the covariance of least squares."""
    found = getattr(observability(FLYWHEEL, ['encoder'], 2.0, 0.005), kind)
    t = 0.005 * np.arange(401)
    design = np.stack([np.ones(401), t], axis=1) / 0.02
    assert found.matrix == pytest.approx(design.T @ design, rel=1e-4)
    assert found.rank == 2
    assert found.observable.all()


def test_gyroscope_determines_no_angle_of_a_flywheel_and_the_encoder_would_help():
    found = observability(FLYWHEEL, ['gyro'], 1.0, 0.005)
    for gramian in (found.analytic, found.empirical, found.simple):
        assert gramian.rank == 1
        assert gramian.observable.tolist() == [False, True]
    assert found.analytic.condition == np.inf
    assert np.abs(found.analytic.unobservable_directions()) == pytest.approx(np.array([[1.0, 0.0]]))
    assert found.added['encoder'].rank == 2
    assert np.isnan(found.analytic.known_after(found.t)[0])


@pytest.mark.parametrize(('viscous', 'forgotten'), [(0.0, [False, False]), (5.0, [False, True])])
def test_damping_forgets_what_no_reading_shows_of_the_start(viscous, forgotten):
    """One of two wheels is read; the velocity of the other fades by exp(-d t / J)."""
    bearing = {'kind': 'friction', 'coordinate': 'phi', 'coulomb': 0.0, 'viscous': viscous}
    wheels = FLYWHEEL.replace(**OTHER_WHEEL, forces={'bearing': bearing})
    found = observability(wheels, ['encoder'], 1.0, 0.005)
    assert found.analytic.observable.tolist() == [True, False, True, False]
    assert found.forgotten[[1, 3]].tolist() == forgotten
    decay = np.exp(-viscous)
    assert found.at_end[3] == pytest.approx(decay, rel=1e-4)
    moved = (1.0 - decay) / viscous if viscous else 1.0
    assert found.at_end[1] == pytest.approx(np.hypot(1.0, moved), rel=1e-4)
    design = np.stack([np.ones(201), 0.005 * np.arange(201)], axis=1) / 0.02
    line = np.linalg.inv(design.T @ design + np.eye(2))
    assert found.at_end[0] == pytest.approx(np.sqrt([1.0, 1.0] @ line @ [1.0, 1.0]))


def test_bias_and_velocity_of_a_flywheel_are_determined_together_only():
    biased = FLYWHEEL.replace(sensors={'gyro': {'bias_sigma': 1.0}})
    found = observability(biased, ['gyro'], 1.0, 0.005)
    assert found.analytic.states.names == ('theta', 'theta velocity', 'bias of gyro')
    assert found.analytic.rank == 1
    directions = found.analytic.unobservable_directions()
    for direction in ([1.0, 0.0, 0.0], [0.0, 1.0, -1.0]):
        part = directions @ direction
        assert part @ part == pytest.approx(np.dot(direction, direction))     # lies in their span
    both = found.added['encoder']
    assert both.rank == 3
    unbiased = observability(FLYWHEEL, ['encoder'], 1.0, 0.005).analytic
    assert both.deviations[0] <= unbiased.deviations[0] + 1e-12


@pytest.mark.parametrize(('mechanism', 'sensors', 'unknown'), [
    ('four_bar', ['crank_gyro', 'crank_accelerometers'], {'forces': True}),
    ('five_bar', ['left_coupler_gyro', 'right_crank_encoder'], {'forces': True}),
    ('four_bar', ['coupler_gyro'], {'parameters': [
        'bodies.coupler.mass', 'bodies.crank.length', 'gravity.y']}),
    ('four_bar', ['crank_accelerometers'], {'parameters': [
        'points.B.fixed.x', 'bodies.rocker.mass']})])
def test_exact_derivatives_agree_with_simulations(mechanism, sensors, unknown):
    found = observability(mechanism, sensors, 1.0, 0.0025, **unknown)
    assert found.analytic.matrix == pytest.approx(
        found.empirical.matrix, rel=1e-2, abs=1e-4 * np.abs(found.empirical.matrix).max())
    assert found.analytic.deviations == pytest.approx(found.empirical.deviations, rel=5e-3)
    assert found.analytic.rank == found.empirical.rank == len(found.analytic.states)


@pytest.mark.parametrize(('mechanism', 'sensors', 'dt', 'unknown'), [
    ('stewart', ['encoders'], 1e-3, {}),
    ('delta', ['encoders'], 1e-3, {'forces': True}),
    ('spatial_slider_crank', ['rod_gyro'], 2e-3, {'parameters': ['gravity.z']})])
def test_exact_derivatives_agree_with_simulations_in_space(mechanism, sensors, dt, unknown):
    """Also where a state is an orientation, whose deviations are rotation vectors."""
    found = observability(mechanism, sensors, 0.04, dt, **unknown)
    assert found.analytic.matrix == pytest.approx(
        found.empirical.matrix, rel=1e-2, abs=1e-3 * np.abs(found.empirical.matrix).max())
    assert found.analytic.deviations == pytest.approx(found.empirical.deviations, rel=1e-2)
    assert found.analytic.observable.tolist() == found.empirical.observable.tolist()


@pytest.mark.parametrize(('sensor', 'angle_is_found'), [
    ('crank_encoder', True), ('crank_gyro', False), ('coupler_gyro', True)])
def test_simple_f_x_explains_which_filters_keep_their_offset(sensor, angle_is_found):
    """With a crank gyroscope exact Jacobians alone find it: Rodriguez et al. 2023, Sec. 12."""
    found = observability('four_bar', [sensor], 2.0, 0.005)
    assert found.simple.observable[0] == angle_is_found
    assert found.analytic.observable.all()


def test_slower_sensors_determine_less_in_proportion():
    slow = FLYWHEEL.replace(sensors={'gyro': {'rate': 50.0}})
    whole, quarter = (observability(mechanism, ['gyro'], 2.0, 0.005).analytic.matrix[1, 1]
                      for mechanism in (FLYWHEEL, slow))
    assert quarter / whole == pytest.approx(101 / 401)


def test_masses_are_determined_in_proportion_only():
    """Gravity and inertia scale with all masses together, so no motion determines their sum."""
    masses = [f'bodies.{body}.mass' for body in ('crank', 'coupler', 'rocker')]
    found = observability('four_bar', ['crank_gyro'], 2.0, 0.005, parameters=masses)
    nothing = found.analytic.unobservable_directions()
    assert abs(nothing @ [0.0, 0.0, 1.0, 1.0, 1.0]) == pytest.approx([np.sqrt(3.0)], rel=1e-6)
    assert found.analytic.observable.tolist() == [True, True, False, False, False]
    one = observability('four_bar', ['crank_gyro'], 2.0, 0.005, parameters=masses[:1])
    assert one.analytic.observable.all()


def test_weightless_five_bar_at_rest_shows_the_crank_that_is_read_and_no_other():
    """Nothing moves, so one gyroscope determines one velocity, and no other."""
    found = observability(load_mechanism('five_bar').replace(gravity=[0.0, 0.0]),
                          ['left_crank_gyro'], 1.0, 0.005)
    for gramian in (found.analytic, found.empirical):
        assert gramian.observable.tolist() == [False, False, True, False]
        assert gramian.rank == 1
        assert np.isinf(gramian.deviations).tolist() == [True, True, False, True]


def test_command_names_the_sensor_that_would_help(capsys):
    assert main(['--mechanism', 'four_bar', '--sensors', 'crank_gyro', '--duration', '0.5',
                 '--set', 'gravity=[0,0]']) == 0
    printed = capsys.readouterr().out
    assert 'rank 1 of 2' in printed
    assert 'not determined at the start: theta' in printed
    assert 'Filters whose covariance takes accelerations for constant' not in printed
    assert 'crank_encoder would help: it makes theta observable' in printed


def test_command_takes_as_much_of_the_motion_as_there_is(capsys):
    """What the oil carries falls without it, and breaks down after some seconds."""
    assert main(['--mechanism', 'excavator', '--sensors', 'slew_encoder']) == 0
    printed = capsys.readouterr().out
    assert 'cannot go on for 10 s: excavator: no step of 0.005 s' in printed
    assert '2.5 s of free motion' in printed
    assert main(['--mechanism', 'excavator', '--sensors', 'slew_encoder', '--duration', '10']) != 0


def test_command_takes_steps_at_which_all_readings_come(capsys):
    """Its sensors are read at 1 kHz, more often than at the usual steps of 5 ms."""
    assert main(['--mechanism', 'stewart', '--sensors', 'encoders', '--duration', '0.05']) == 0
    assert 'Everything is observable' in capsys.readouterr().out


@pytest.mark.parametrize(('deviation', 'gain'), [
    (0.25, '4 times as accurately'), (0.9999, 'hardly more accurately')])
def test_advice_says_how_much_another_sensor_helps(deviation, gain):
    states = States(('theta',), ('rad',), np.ones(1))

    def known(deviation):
        return SimpleNamespace(states=states, observable=np.array([True]),
                               deviations=np.array([deviation]))

    found = SimpleNamespace(analytic=known(1.0), added={'gyro': known(deviation)}, dead_centres=(),
                            forgotten=np.array([False]))
    assert advice(found) == ('Everything is observable; gyro would determine the least known state '
                             + gain)


def test_command_reports_forces_too(capsys):
    assert main(['--mechanism', 'five_bar', '--sensors', 'crank_gyros', '--duration', '1',
                 '--forces']) == 0
    printed = capsys.readouterr().out
    assert 'theta2 force' in printed
    assert 'Everything is observable' in printed


@pytest.mark.parametrize(('arguments', 'message'), [
    (['--mechanism', 'six_bar', '--sensors', 'crank_gyro'], 'six_bar: unknown mechanism'),
    (['--mechanism', 'four_bar', '--sensors', 'knee'], 'knee: unknown sensor of four_bar'),
    (['--mechanism', 'four_bar', '--sensors', ','], 'at least one is needed'),
    (['--mechanism', 'four_bar', '--sensors', 'crank_gyro', '--known-to', '2'], 'known_to: 2.0'),
    (['--mechanism', 'four_bar', '--sensors', 'crank_gyro', '--parameters', 'bodies.crank.colour'],
     'bodies.crank.colour: is no parameter of the model')])
def test_command_reports_what_is_wrong(arguments, message, capsys):
    assert main(arguments) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert 'Traceback' not in errors


@pytest.mark.parametrize(('mechanism', 'sensors'), [
    ('slider_crank', ['block_encoder', 'crank_encoder']), ('slider_crank', ['crank_encoder']),
    ('four_bar', ['crank_encoder']), ('slider_crank', ['crank_gyro'])])
def test_readings_that_show_the_side_have_no_dead_centres(mechanism, sensors):
    assert observability(mechanism, sensors, 2.0, 0.005).dead_centres == ()


@pytest.mark.parametrize('sensors', [['block_encoder'], ['block_encoder', 'crank_gyro']])
def test_the_block_of_a_slider_crank_has_dead_centres_where_crank_and_rod_are_in_line(sensors):
    found = observability('slider_crank', sensors, 2.0, 0.005)
    assert found.analytic.observable.all()
    assert len(found.dead_centres) >= 3
    for one in found.dead_centres:
        half_turns = one.z[0] / np.pi
        assert half_turns == pytest.approx(round(half_turns), abs=0.01)
        assert one.coordinate == 'theta'
        assert one.distinguished_by == ('crank_encoder',)


@pytest.mark.parametrize(('sensors', 'lost'), [
    (['block_encoder'], True), (['block_encoder', 'crank_gyro'], True),
    (['block_encoder', 'crank_encoder'], False)])
def test_a_filter_gets_lost_on_the_wrong_side_of_a_dead_centre_unless_a_sensor_shows_it(
        sensors, lost):
    """The recommended filter; the model starts at -0.12 rad, the prototype at 0.79 rad."""
    experiment = Experiment('slider_crank', sensors, {'gravity': 1.0, 'z0': -0.9}, 4.0, 0.005)
    try:
        error = experiment.run('error_ekf_fe', 1, acceleration_variance=2.291e-3)\
            .observer.position_rmse[0]
    except DivergenceError:
        error = np.inf
    assert (error > 1.0) == lost
    assert bool(observability('slider_crank', sensors, 4.0).dead_centres) == lost


def test_one_of_two_degrees_of_freedom_has_dead_centres():
    """Two pendulums apart, one by the place of its tip: it hangs, or stands, where that is still.

    The other, by an encoder, has none.
    """
    tips = load_mechanism('five_bar')
    found = observability(tips.replace(sensors={'tip': {
        'kind': 'linear_encoder', 'coordinate': 'P1.x', 'sigma': 1e-3}}),
        ['tip', 'right_crank_encoder'], 2.0, 0.005)
    assert found.dead_centres
    for one in found.dead_centres:
        assert one.coordinate == 'theta1'
        assert np.sin(one.z[0]) == pytest.approx(0.0, abs=0.1)
        assert 'left_crank_encoder' in one.distinguished_by


def test_command_warns_of_dead_centres(capsys):
    assert main(['--mechanism', 'slider_crank', '--sensors', 'block_encoder', '--duration',
                 '5']) == 0
    printed = capsys.readouterr().out
    assert 'WARNING: dead centres at t = 0.415, ' in printed
    assert 'gets lost. crank_encoder would distinguish the sides' in printed
    assert 'Everything is observable, but not the side at dead centres' in printed
