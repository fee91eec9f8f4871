"""What a reading is judged by: what was expected before it, whatever it then changes."""

from math import sqrt

from filter_traits import PULSES, VARIANTS
import numpy as np
import pytest
from scipy.stats import chi2

from mb_estimators import available_filters, make_filter
from mb_estimators.watches.gating import GatedFilter, GateSettings, GateState
from mb_model import load_mechanism
from mb_sensors import sensors_of

DT, PROBABILITY = 0.005, 0.999
BOUND = chi2.ppf(PROBABILITY, 1)
MACHINES = [load_mechanism(name) for name in ('four_bar', 'spatial_four_bar')]
# Of these a reading changes the noise, or the covariance, that it is taken with
ADAPTING = [(name, tuning) for name, tuning in VARIANTS if 'adapt' in tuning] + [
    (name, {'innovation_limit': 1.5}) for name in PULSES]
CASES = [(machine, name, tuning) for machine in MACHINES for name, tuning in (
    *((name, {}) for name in available_filters(machine)), *ADAPTING)
    if name in available_filters(machine)]


def predicted(machine, name, tuning):
    """Return a filter a step after the start, its own gate off, and its sensors."""
    sensors = sensors_of(machine, ['crank_encoder'])
    filter_ = make_filter(name, machine, sensors, DT, **tuning)
    filter_.use_gate(False)
    filter_.predict(DT)
    return filter_, sensors


def named(value):
    return value.name if hasattr(value, 'name') else None


def test_filters_that_adapt_are_among_them():
    assert {'variational_bayes', 'sage_husa'} <= {
        tuning.get('method') for *_, tuning in CASES}
    assert any('innovation_limit' in tuning for *_, tuning in CASES)


@pytest.mark.parametrize(('machine', 'name', 'tuning'), CASES, ids=named)
def test_the_covariance_of_an_innovation_is_not_of_the_reading(machine, name, tuning):
    innovations = []
    for off in (0.0, 0.1, 0.4):
        filter_, _ = predicted(machine, name, tuning)
        innovations.append(filter_.correct(machine.z0 + off))
    for one in innovations[1:]:
        np.testing.assert_allclose(one.covariance, innovations[0].covariance, rtol=1e-9)
        assert one.nis == pytest.approx(one.residual[0] ** 2 / one.covariance[0, 0], rel=1e-6)


@pytest.mark.parametrize('gate', ['reject', 'inflate', 'huber'])
@pytest.mark.parametrize(('machine', 'name', 'tuning'), CASES, ids=named)
def test_a_gate_judges_before_a_reading_adapts_anything(machine, name, tuning, gate):
    """Just within the bound of what was expected all are credible, just beyond it none."""
    filter_, _ = predicted(machine, name, tuning)
    expected = filter_.correct(machine.z0)
    deviation = sqrt(expected.covariance[0, 0])
    for share in (0.97, 1.03):
        filter_, sensors = predicted(machine, name, tuning)
        gated = GatedFilter(filter_, sensors, {
            'crank_encoder': GateSettings(gate, PROBABILITY)}, restart=False)
        innovation, wide = gated.correct(
            GateState(), 0, machine.z0 - expected.residual + share * sqrt(BOUND) * deviation)
        assert innovation.rejected.tolist() == [0] * (share > 1.0 and gate == 'reject')
        assert bool(wide) == (share > 1.0 and gate != 'reject')
