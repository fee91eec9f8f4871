"""~/set_state under whatever numbers: refused in words, or an estimate that can go on."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from streamed import stream_of

from mb_estimators.nodes.estimator_services import EstimatorServices
from mb_interfaces.srv import SetState
from mb_model import load_mechanism
from mb_ros.stamps import stamp
from mb_sensors import sensors_of

START, STEP = 1_000_000_000, 5_000_000
MECHANISM = load_mechanism('four_bar')
SENSORS = sensors_of(MECHANISM, ['crank_encoder'])
SOME = 'error_ekf', 'ukf', 'cekf', 'kinematic_kf', 'sckf', 'error_ekf_fe', 'fixed_lag_smoother'
WILD = st.one_of(st.floats(), st.sampled_from([
    np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324, 1e200, 1e16, 1e100, 0.0]))
MILD = st.floats(-10.0, 10.0)
NUMBERS = st.one_of(MILD, WILD)


class Offered:
    """Notes the services of an estimator."""

    def __init__(self):
        self.callbacks = {}

    def serve(self, name, answer):
        self.callbacks[name] = answer


class Setup:
    def __init__(self, name):
        self.stream = stream_of(MECHANISM, ['crank_encoder'], name, start_time=1.0)


def served(name):
    """Return (stream, set_state) of an estimator that has taken some readings."""
    offered, setup = Offered(), Setup(name)
    EstimatorServices(offered, setup, lambda steps: None)
    return setup.stream, offered.callbacks['~/set_state']


def feed(stream, places):
    return [step for k in places
            for step in stream.add('crank_encoder', START + k * STEP, (MECHANISM.z0[0],))]


def covariances(size):
    """Lists that make a matrix: of any numbers, or symmetric and nearly right."""
    square = st.lists(NUMBERS, min_size=size * size, max_size=size * size)
    diagonal = st.lists(st.one_of(WILD, st.floats(1e-6, 10.0)), min_size=size, max_size=size)
    return st.one_of(st.just([]), st.lists(NUMBERS, max_size=10), square,
                     diagonal.map(lambda one: np.diag(one).ravel().tolist()))


@pytest.mark.parametrize('name', SOME)
def test_no_numbers_break_the_estimate(name):
    """What is refused changes not one bit of what follows."""
    stream, set_state = served(name)

    def follow(request=None):
        """Return (answer, the next Steps) of an estimator that begins anew."""
        stream.reset()
        feed(stream, range(3))
        answer = None if request is None else set_state(request, SetState.Response())
        return answer, feed(stream, range(3, 6))
    size = 3 if name == 'kinematic_kf' else 2
    unasked = [step.estimate for step in follow()[1]]

    @settings(deadline=None, max_examples=60)
    @given(z=st.lists(NUMBERS, max_size=2), zd=st.lists(NUMBERS, max_size=2),
           covariance=covariances(size))
    def attack(z, zd, covariance):
        with np.errstate(all='ignore'):
            answer, steps = follow(SetState.Request(z=z, zd=zd, covariance=covariance))
        assert answer.success != bool(answer.message)
        for step in steps:
            assert all(np.isfinite(part).all() for part in step.estimate[:7])
        if answer.success:
            assert np.isfinite([*z, *zd, *covariance]).all()
            assert len(steps) == 3 or stream.state.diverged or stream.state.counts.rejected
        else:
            for estimate, step in zip(unasked, steps, strict=True):
                for one, other in zip(estimate[:7], step.estimate[:7], strict=True):
                    np.testing.assert_array_equal(one, other)
    attack()


@pytest.mark.parametrize(('covariance', 'text'), [
    ([1e308, 0.0, 0.0, 1e308], 'covariance|lost|finite|go on'),
    ([np.inf, 0.0, 0.0, np.inf], 'covariance: must be finite'),
    ([np.inf, np.inf, np.inf, np.inf], 'covariance: must be finite'),
    ([np.nan] * 4, 'covariance: must be finite'),
    ([1e-3, 0.0, 0.0, 1e10], 'may be anywhere'),        # of the velocity: after a step it is lost
    ([50.0, 0.0, 0.0, 1e-3], 'may be anywhere')])
def test_what_would_be_lost_at_once_is_refused(covariance, text):
    stream, set_state = served('error_ekf')
    feed(stream, range(3))
    answer = set_state(SetState.Request(z=[1.0], covariance=covariance,
                                        stamp=stamp(START + 3 * STEP)), SetState.Response())
    assert not answer.success
    assert any(part in answer.message for part in text.split('|')), answer.message
    assert feed(stream, [3])
