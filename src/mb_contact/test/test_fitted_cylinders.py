"""Friction of a cylinder by `fit`, from bags of commands, an encoder and pressures."""

from crane_bags import write_bag, write_crane
from crane_runs import SENSORS, experiment
import numpy as np
import pytest
import yaml

from mb_contact.commands import contact_thresholds
from mb_estimators import FitSettings
from mb_estimators.commands import fit
from mb_estimators.fitting.oil import oil_samples
from mb_model import load_mechanism

KEYS = {'coulomb', 'static', 'viscous', 'pressure_difference', 'rod_pressure',
        'transition_velocity'}
LOADS = (0.0, 100.0)


@pytest.fixture(scope='module')
def runs():
    """The crane without and with a load: out and in again."""
    return [experiment(load, (0.42, -0.45), rise=3.0, pause=0.5) for load in LOADS]


@pytest.fixture(scope='module')
def bags(runs, tmp_path_factory):
    folder = tmp_path_factory.mktemp('recorded')
    return [write_bag(folder / f'bag{k}', run) for k, run in enumerate(runs)]


@pytest.fixture(scope='module')
def file(tmp_path_factory):
    """A crane whose file knows little of its friction."""
    return write_crane(
        tmp_path_factory.mktemp('file'),
        '{cylinders: {lift: {friction: {coulomb: 150.0, static: 150.0, viscous: 1000.0, '
        'pressure_difference: 0.0, rod_pressure: 0.0, transition_velocity: 0.03}}}}')


def fitted(bags, file, folder, *options):
    """Return the mechanism that the command makes of bags."""
    output = folder / 'fitted.yaml'
    assert fit.main([*map(str, bags), '--mechanism', file, '--sensors', *SENSORS, '--free',
                     'friction', '--output', str(output), *options]) == 0
    return yaml.safe_load(output.read_text()), load_mechanism(str(output))


def errors(mechanism, crane, loads):
    """Return by which share the friction differs, moving at loads."""
    return [abs(mechanism.circuit.friction(p, [speed])[0] / crane.circuit.friction(p, [speed])[0]
                - 1.0) for load in loads for speed in (-0.05, 0.03, 0.05)
            for p in [crane.replace(parameters={'load': load}).circuit.p0]]


@pytest.mark.parametrize('name', ['load', 'bodies.load.mass'])
def test_two_bags_of_known_loads_become_a_mechanism_with_its_friction(bags, file, tmp_path, name,
                                                                      capsys):
    written, mine = fitted(bags, file, tmp_path, '--known', f'{name}=0,100')
    assert 'held out' in capsys.readouterr().out
    assert written.keys() == {'extends', 'hydraulics'}
    numbers = written['hydraulics']['cylinders']['lift']['friction']
    assert set(numbers) == KEYS
    crane = load_mechanism('crane')
    truth = crane.raw['hydraulics']['cylinders']['lift']['friction']
    for key in KEYS:
        assert numbers[key] == pytest.approx(truth[key], rel=0.1), key
    assert max(errors(mine, crane, LOADS)) < 0.02


def test_a_bag_without_a_load_shows_the_curve_there(bags, file, tmp_path):
    _, mine = fitted(bags[:1], file, tmp_path, '--known', 'load=0')
    assert max(errors(mine, load_mechanism('crane'), LOADS[:1])) < 0.03


def test_friction_and_the_arms_mass_are_found_together(bags, file, tmp_path):
    """Known loads weigh the arm."""
    heavy = tmp_path / 'heavy.yaml'
    heavy.write_text(f'extends: {file}\nbodies: {{arm: {{mass: 55.0}}}}\n')
    written, mine = fitted(bags, str(heavy), tmp_path, '--known', 'load=0,100', '--free',
                           'friction', 'bodies.arm.mass')
    assert written['bodies']['arm']['mass'] == pytest.approx(40.0, rel=0.02)
    assert max(errors(mine, load_mechanism('crane'), LOADS)) < 0.03


def test_damaged_messages_are_left_out(bags, damaged_copy, tmp_path, said):
    copy = damaged_copy(bags[0], tmp_path / 'bag')
    fitted([copy], 'crane', tmp_path, '--known', 'load=0')
    for topic in ('valve_command', *SENSORS):
        assert f'/{topic}: 3 of' in said()


@pytest.mark.parametrize(('options', 'words'), [
    (['--known', 'load=0,10'], '--known load=0,10: 2 values, expected one'),
    (['--known', 'cargo=1'], '--known cargo: no number of crane'),
    (['--fit', 'oil_averaging_time=-1'], '--fit oil_averaging_time: -1.0 must be >= 0'),
    (['--free', 'hydraulics.oil.colour'], 'readings of an encoder and pressures, friction or some '
     'of hydraulics.cylinders.lift.friction.coulomb'),
    (['--output', '/nowhere/a.yaml'], '--output /nowhere/a.yaml: no such folder')])
def test_what_is_wrong_is_reported_in_a_line(bags, options, words, capsys):
    assert fit.main([str(bags[0]), '--mechanism', 'crane', '--sensors', *SENSORS, '--free',
                     'friction', *options]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(('command', 'options'), [
    (fit, ['--sensors', 'imu']), (contact_thresholds, [])])
def test_a_bag_that_is_not_there_is_reported_first(tmp_path, command, options, capsys):
    bag = tmp_path / 'none'
    assert command.main([str(bag), *options, '--output', str(tmp_path / 'found.yaml')]) == 2
    assert capsys.readouterr().err == f'{bag}: no such bag\n'


def test_means_of_an_exact_motion_give_exact_forces(runs):
    """Of pressures, which carry arm and load and rub, by another way than the fit's."""
    run, settings = runs[1], FitSettings(oil_averaging_time=0.0, largest_acceleration=1e9)
    truth, taken = run.truth, slice(2000, 6000, 20)
    count = len(truth.t[taken])
    covariance = np.broadcast_to(np.diag([0.0, 1e-8, 4e-4, 1e8, 1e8, 0.0]), (count, 6, 6))
    samples = oil_samples(run.prototype, run.stamps[taken], [
        values[taken] for values in (truth.z, truth.zd, truth.zdd, truth.p)] + [covariance],
        settings)
    circuit = run.prototype.circuit
    for k in range(0, len(samples), 10):
        motion = samples.motion
        row = int(np.searchsorted(run.stamps, motion.stamps[k]))
        rubbing = circuit.friction(truth.p[row], truth.zd[row])
        needed = run.prototype.inverse_dynamics(motion.z[k], motion.zd[k], motion.zdd[k])
        assert samples.torques[k] - rubbing == pytest.approx(needed, abs=1.0)
    by_hand = np.sqrt(1e8 * np.sum(np.square(circuit.area)))
    assert np.sqrt(samples.oil.covariance[0, 3, 3]) == pytest.approx(by_hand, rel=1e-6)
    assert samples.oil.rate_deviation == pytest.approx(1e-4)
