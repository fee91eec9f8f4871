"""interacting_models against a filter of textbooks on a sled that is pushed, or not."""

from free_motion import SLED, TextbookFilter
import numpy as np
import pytest

from mb_estimators import make_filter
from mb_estimators.filter import FilterError

DT, NOISE, VARIANCE, DWELL = 0.005, 0.4, 0.01, 0.5
PUSHES = np.array([0.0, 20.0])           # m/s^2, gravity along the way
H, R = np.array([[1.0, 0.0], [1.0, 0.0]]), np.diag([0.02 ** 2, 0.05 ** 2])


class PushedTextbook(TextbookFilter):
    """A Kalman filter with a known acceleration."""

    push = 0.0

    def predict(self, h):
        super().predict(h)
        self.x = self.x + self.push * np.array([h ** 2 / 2.0, h])


def mixed(chances, filters):
    """Return mean and covariance of a mixture."""
    mean = sum(c * each.x for c, each in zip(chances, filters, strict=True))
    return mean, sum(c * (each.P + np.outer(each.x - mean, each.x - mean))
                     for c, each in zip(chances, filters, strict=True))


def make(modes, **settings):
    return make_filter('interacting_models', SLED, ['encoder', 'other'], DT,
                       parameters=('gravity.x',), modes=modes, dwell_time=DWELL,
                       acceleration_psd=NOISE, initial_variance=VARIANCE, **settings)


def test_it_is_the_filter_of_textbooks():
    """Bar-Shalom, Li and Kirubarajan 2001, Sec. 11.6.6; readings lack, and the truth switches."""
    filter_, random = make(tuple(PUSHES)), np.random.default_rng(3)
    textbooks = []
    for push in PUSHES:
        textbooks.append(PushedTextbook(np.array([0.3, 2.0]), VARIANCE * np.eye(2), NOISE, H, R))
        textbooks[-1].push = push
    chances, truth, right = np.array([0.5, 0.5]), np.array([0.3, 2.0]), []
    for k in range(600):
        mode = (k // 200) % 2
        truth = np.array([[1.0, DT], [0.0, 1.0]]) @ truth + PUSHES[mode] * np.array(
            [DT ** 2 / 2.0, DT])
        stay = 0.5 + 0.5 * np.exp(-2.0 * DT / DWELL)
        change = np.array([[stay, 1.0 - stay], [1.0 - stay, stay]])
        expected = chances @ change
        starts = [mixed(chances * change[:, j] / expected[j], textbooks) for j in range(2)]
        for each, (each.x, each.P) in zip(textbooks, starts, strict=True):
            each.predict(DT)
        filter_.predict(DT)
        reading = H @ truth + random.normal(size=2) * [0.02, 0.05]
        reading[random.random(2) < 0.3] = np.nan
        likelihoods = []
        for each in textbooks:
            _, S, nis = each.correct(reading)
            likelihoods.append(np.exp(-0.5 * nis) / np.sqrt(np.linalg.det(2.0 * np.pi * S)))
        chances = expected * likelihoods / (expected @ likelihoods)
        filter_.correct(reading)
        x, P = mixed(chances, textbooks)
        estimate = filter_.estimate
        np.testing.assert_allclose([estimate.z[0], estimate.zd[0]], x, atol=1e-9)
        np.testing.assert_allclose(estimate.covariance, P, rtol=1e-7, atol=1e-12)
        np.testing.assert_allclose(filter_.probabilities, chances, atol=1e-7)
        assert estimate.hypotheses == ('gravity.x 0', 'gravity.x 20')
        np.testing.assert_array_equal(estimate.hypothesis_probabilities, filter_.probabilities)
        assert estimate.zdd[0] == pytest.approx(chances @ PUSHES, abs=1e-6)
        assert estimate.parameters['gravity.x'] == pytest.approx(chances @ PUSHES, abs=1e-6)
        right.append(filter_.probabilities[mode])
    assert min(np.mean(right[start + 100:start + 200]) for start in (0, 200, 400)) > 0.7


def test_one_model_and_equal_models_are_its_own_filter():
    alone, equal = make((6.0,)), make((6.0, 6.0, 6.0))
    pushed = SLED.replace(gravity=[6.0, -9.81])
    plain = make_filter('error_ekf_ej', pushed, ['encoder', 'other'], DT, acceleration_psd=NOISE,
                        initial_variance=VARIANCE)
    random = np.random.default_rng(4)
    for k in range(200):
        reading = 0.3 + 2.0 * k * DT + 0.05 * random.normal(size=2)
        for each in (alone, equal, plain):
            each.predict(DT, [0.7])
            each.correct(reading)
    for each in (alone, equal):
        np.testing.assert_allclose(each.estimate.z, plain.estimate.z, atol=1e-11)
        np.testing.assert_allclose(each.estimate.covariance, plain.estimate.covariance, rtol=1e-9)
    np.testing.assert_allclose(equal.probabilities, 1.0 / 3.0, atol=1e-9)


@pytest.mark.parametrize(('values', 'text'), [
    ({'modes': ()}, 'modes: 0 values, expected as many for each of 1 to 16 models'),
    ({'parameters': ('gravity.x', 'gravity.y'), 'modes': (1.0, 2.0, 3.0)}, 'modes: 3 values'),
    ({'parameters': ()}, r'modes: 2 values, .* as there are parameters \(0\)'),
    ({'parameters': ('bodies.block.length',)}, 'bodies.block.length: changes positions')])
def test_modes_that_cannot_be_are_refused(values, text):
    with pytest.raises(FilterError, match=text):
        make_filter('interacting_models', SLED, ['encoder'], DT, **values)
