"""Estimates beyond the limits of coordinates, in the diagnostics."""

import re
from types import SimpleNamespace

import pytest
from streamed import stream_of

from mb_estimators.nodes.estimator_health import EstimatorHealth
from mb_model import Mechanism, load_mechanism

SENSORS = 'crank_encoder', 'coupler_gyro'


@pytest.mark.parametrize(('upper', 'message'), [
    (0.5, r'beyond limits: theta = 1\.0\d* rad is 0\.5\d* rad beyond its upper limit, 0\.5 rad'),
    (1.045, 'estimating'),      # within the uncertainty
    (2.0, 'estimating')])
def test_health_names_coordinates_that_are_surely_beyond_their_limits(upper, message):
    raw = load_mechanism('four_bar').raw | {'coordinates': {
        'theta': {'kind': 'angle', 'body': 'crank', 'limits': {'lower': 0.0, 'upper': upper}}}}
    machine = Mechanism(raw, 'four_bar')
    stream = stream_of(machine, SENSORS)
    health = EstimatorHealth(SimpleNamespace(
        stream=stream, settings=SimpleNamespace(estimator='error_ekf'), gates={},
        mechanism=machine, undetermined=(), sensors=(), reservation='',
        window=SimpleNamespace(nis={}, judgement=[])))
    for k in range(20):
        for name, value in zip(SENSORS, (1.05, 0.0), strict=True):
            for step in stream.add(name, 1_000_000_000 + 5_000_000 * k, (value,)):
                health.saw(step)
    assert re.fullmatch(message, health.look().message)
