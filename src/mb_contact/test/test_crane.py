"""The crane with its observer: the load, and the friction of its cylinder, are found."""

from crane_runs import experiment
import numpy as np
import pytest

from mb_contact.friction.law import CYLINDER, friction_force
from mb_contact.friction.of_cylinders import identify_friction
from mb_contact.friction.outcome import friction_text
from mb_model import load_mechanism
from mb_sensors.faults import FaultSettings


@pytest.fixture(scope='module')
def lifting():
    return experiment(30.0, (0.6, -0.6, 0.4), rise=1.2, pause=0.7)


def test_load_is_found_and_intervals_are_honest(lifting):
    result = lifting.run(1)
    assert result.worst_error < 0.5
    assert result.mass_coverage == 1.0
    for name, share in result.coverage().items():
        assert share > 0.85, name
    slow = np.abs(result.observed.zd[:, 0]) < lifting.prototype.circuit.transition_velocity[0]
    assert not (result.payload.updating & slow).any()


def test_stream_gives_the_same_load(lifting):
    whole, stream = lifting.run(1), lifting.run_stream(1)
    assert len(stream.t) == len(lifting.t[::10])
    assert stream.observed.z == pytest.approx(whole.observed.z[::10], abs=1e-12)
    assert stream.mass_error[-1] == pytest.approx(whole.mass_error[-1], abs=0.3)


def test_load_is_held_while_a_sensor_is_dead(lifting):
    fault = {'pressure2': FaultSettings(dead_from=6.0, dead_for=2.0)}       # 5 s after the start
    result = lifting.run_stream(1, fault)
    dead = (result.t > 5.1) & (result.t < 7.0)
    assert not result.payload.updating[dead].any()
    assert all('silent: pressure2' in reason for reason in result.payload.reason[dead])
    assert np.ptp(result.payload.mass[dead]) == 0.0
    assert abs(result.mass_error[-1]) < 0.5


def test_friction_is_found_by_the_observer(tmp_path):
    peaks = (0.42, -0.45)
    runs = [experiment(load, peaks, rise=3.0, pause=0.5) for load in (0.0, 100.0)]
    fit = identify_friction([(run.prototype, run.recording(2)) for run in runs],
                            runs[0].sensors)['lift']
    crane = load_mechanism('crane')
    truth = crane.raw['hydraulics']['cylinders']['lift']['friction']
    for name in CYLINDER.parameters:
        assert abs(fit.parameters[name] - truth[name]) < 4.0 * fit.deviations[name] + (
            0.1 * truth[name]), name
    samples = fit.samples
    true = friction_force(truth, samples.velocity, samples.piston_pressure, samples.rod_pressure)
    fitted = fit.force(samples.velocity, samples.piston_pressure, samples.rod_pressure)
    assert fitted == pytest.approx(true, rel=0.03)
    file = tmp_path / 'mine.yaml'
    file.write_text(friction_text({'lift': fit}, 'crane', ['Fitted.']))
    loaded = load_mechanism(str(file))
    assert loaded.circuit.friction(crane.circuit.p0, [0.05]) == pytest.approx(
        crane.circuit.friction(crane.circuit.p0, [0.05]), rel=0.03)
