"""The crane with its observer: the load, and the friction of its cylinder, are found."""

from crane_runs import experiment
import numpy as np
import pytest

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
