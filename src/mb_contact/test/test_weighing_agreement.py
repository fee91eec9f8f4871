"""Links of a tool that contradict each other: that is said, and the interval covers it."""

import numpy as np
import pytest
from test_weighing import CURLED, MACHINE, OPENED, carried

from mb_contact import Scales, ToolSettings

LOAD, EMPTY = 500.0, 1.0            # kg
CERTAIN = {'mass_uncertainty': 0.003, 'friction_uncertainty': 0.03}
BOOM, ARM = 0, 2                    # indices of the pressures on the piston sides


def seen(scales, begin, load, bucket, offsets=(), seconds=2.0, seed=0):
    """Let scales see a machine that lifts and lowers; offsets: of pressures, (index, Pa)."""
    covariance, random = 1e-9 * np.eye(3 * MACHINE.g), np.random.default_rng(seed)
    for k in range(round(100 * seconds)):
        rate = 0.1 if (k // 50) % 2 == 0 else -0.1
        z, zd, q, p = carried(load, bucket, rate=rate, boom=0.3 + 0.1 * (k % 4))
        p = p + 2e4 * random.normal(size=len(p))
        for index, offset in offsets:
            p[index] += offset
        scales.add(round(1e9 * (begin + 0.01 * k)), z, zd, np.zeros(MACHINE.g), q, p, covariance,
                   bucket == CURLED)
    return scales.running


def weighed(offsets=(), seed=0, only=None, **settings):
    """Return the Weighing so far; only: number of the one link whose moment counts."""
    scales = Scales(MACHINE, ToolSettings(**settings), 0.01)
    if only is not None:
        scales._balance._rows = scales._balance._rows[only:only + 1]
        scales._balance.begin()
    return seen(scales, 1.0, LOAD, CURLED, offsets, seed=seed)


@pytest.mark.parametrize('settings', [{}, CERTAIN])
@pytest.mark.parametrize('seed', range(3))
def test_links_that_agree_are_not_accused(settings, seed):
    found = weighed(seed=seed, **settings)
    assert found.contradiction == ''
    assert abs(found.net - LOAD) < 1.96 * found.net_deviation


@pytest.mark.parametrize('settings', [{}, CERTAIN])
@pytest.mark.parametrize(('index', 'offset'), [
    (BOOM, 2e6), (BOOM, -1e6), (ARM, 5e5), (ARM, -1e6)])
def test_the_interval_covers_what_each_link_says_alone(index, offset, settings):
    both = weighed([(index, offset)], **settings)
    alone = [weighed([(index, offset)], only=link, **settings).net for link in (0, 1)]
    assert abs(alone[0] - alone[1]) > 150.0
    assert both.contradiction.startswith('the equations of motion contradict each other')
    for one in (*alone, LOAD):
        assert abs(both.net - one) < 1.96 * both.net_deviation
    assert abs(both.gross - LOAD) < 1.96 * both.gross_deviation


def test_a_sensor_that_is_off_teaches_nothing_about_the_links():
    """What the empty tool shows with it is not believed, so that it does not spoil what follows."""
    scales = Scales(MACHINE, ToolSettings(), 0.01)
    assert seen(scales, 1.0, EMPTY, OPENED, [(ARM, 2e6)]).contradiction
    found = seen(scales, 4.0, LOAD, CURLED)
    assert found.contradiction == ''
    assert abs(found.net - LOAD) < 1.96 * found.net_deviation
    assert found.net_deviation == pytest.approx(found.gross_deviation)
