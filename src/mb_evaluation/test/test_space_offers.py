"""Packages above the model and mechanisms in space: what works there, what ends with an error."""

import numpy as np
import pytest
from spatial_machines import STRUT, TORQUE_FREE

from mb_estimators import FilterError, make_filter
from mb_model import Mechanism, animate, simulate
from mb_simulation.prototypes import make_prototype

ENCODER = {'kind': 'linear_encoder', 'coordinate': 'stroke', 'rate': 100.0, 'sigma': 1e-4}
SPRING = {'kind': 'spring_damper', 'coordinate': 'lift', 'stiffness': 60.0, 'rest': 1.0,
          'damping': 1.0}


@pytest.fixture(scope='module')
def strut():
    return Mechanism(STRUT | {'sensors': {
        'stroke': ENCODER, 'imu': {'kind': 'gyroscope', 'body': 'link', 'rate': 100.0,
                                   'sigma': 1e-3}},
        'drives': ['lift'], 'forces': {'hold': SPRING}}, 'strut.yaml')


def test_an_estimator_finds_the_motion_in_space(strut):
    run = simulate(strut, 0.5, 1e-3)
    wrong = strut.replace(start={'lift': float(strut.z0[0]) + 0.1})
    filter_ = make_filter('error_ekf', wrong, ['stroke'], 1e-3)
    for stroke in run.values('stroke')[10::10]:
        filter_.predict(1e-2)
        filter_.correct(np.array([stroke]))
    assert filter_.estimate.z[0] == pytest.approx(run.z[-1, 0], abs=2e-3)


def test_filters_that_cannot_follow_orientations_say_why():
    free = Mechanism(TORQUE_FREE | {'sensors': {'s': ENCODER | {'coordinate': 'at.x'}}},
                     'free.yaml')
    with pytest.raises(FilterError, match=r'as_published: not with orientations'):
        make_filter('sckf', free, ['s'], 1e-3, as_published=True)
    assert make_filter('ukf', free, ['s'], 1e-3).estimate.z[0] == free.z0[0]


def test_the_multibody_prototype_moves_as_a_simulation(strut):
    prototype = make_prototype('multibody', strut, 0.1, 1e-3)
    prototype.advance()
    np.testing.assert_allclose(prototype.state.z, simulate(strut, 0.1, 1e-3).z[-1], atol=1e-9)


TURNED = """
const read = () => { drawScene(0); const all = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, all); return all; };
setPlaying(false);
const before = read();
view.azimuth += 1;
const after = read();
let drawn = 0, changed = 0;
for (let k = 0; k < before.length; k += 4) {
  drawn += before[k] < 200;
  changed += Math.abs(before[k] - after[k]) > 40;
}
document.body.dataset.drawn = drawn / before.length * 4;
document.body.dataset.changed = changed / before.length * 4;
const narrow = Math.min(window.innerWidth, WIDTH);
document.body.style.width = `${narrow}px`;
window.onresize();
const rights = [...document.body.querySelectorAll('*')].map(
  one => one.getBoundingClientRect().right);
document.body.dataset.beyond = Math.max(...rights) - narrow;
document.body.dataset.below = document.documentElement.scrollHeight - window.innerHeight;
"""


@pytest.mark.parametrize('width', [1200, 375])
def test_a_browser_draws_and_turns_the_machine(strut, tmp_path, opened, width):
    animate(simulate(strut, 0.1, 1e-2), tmp_path / 'strut.html', fps=20.0)
    page = opened(tmp_path / 'strut.html', TURNED.replace('WIDTH', str(width)), f'{width},800')
    assert not [line for line in page.console if 'Uncaught' in line or 'INVALID' in line]
    assert page.requests == []
    assert float(page.body['data-drawn']) > 0.01
    assert float(page.body['data-changed']) > 0.01
    assert float(page.body['data-beyond']) < 0.5
    assert int(page.body['data-below']) <= 0
