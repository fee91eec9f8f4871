"""Scales and edge of a tool, against statics of the same machine."""

import numpy as np
import pytest

from mb_contact import ContactError, EdgeForce, PayloadSettings, Scales, ToolSettings
from mb_model import load_mechanism

MACHINE = load_mechanism('excavator_afloat')
TOOL = ToolSettings()
PAYLOAD = PayloadSettings(
    method='window_least_squares', window=10.0, settling_time=0.0, friction_uncertainty=0.0,
    correlation_time=0.1, largest_deviation=2e3,
    unknown_forces=('x', 'y', 'z', 'roll', 'pitch', 'slew', 'bucket_angle'))
CURLED, OPENED = -1.6, 1.0              # rad
ROD_SIDE = 1e6                          # Pa


def carried(load, bucket, push=(0.0, 0.0), rate=0.0):
    """Return z, zd, q and the pressures [Pa] that carry the machine, by its own equations.

    push [N]: at the edge, x and z of the house; rate: of boom and arm [rad/s].
    """
    machine = MACHINE.replace(parameters={'load': load})
    z = machine.z0.copy()
    z[3:6] = 0.05, -0.04, 0.3           # it tilts, and has slewed
    z[-3:] = 0.45, -1.7, bucket
    q, zd = machine.assemble(z), np.zeros(machine.g)
    zd[-3:-1] = rate
    links = [machine.independent.index(name) for name in TOOL.angles]
    lengths, edge = (machine.places(names) for names in (
        list(TOOL.cylinders), ['edge.x', 'edge.y', 'edge.z']))
    rates = np.array([machine.velocity(q, one)[[*lengths, *edge]]
                      for one in np.eye(machine.g)[links]])
    turn = machine.body_motion('house', q).rotation
    needed = machine.inverse_dynamics(z, zd, np.zeros(machine.g))[links]
    pushed = rates[:, 3:] @ turn @ np.array([push[0], 0.0, push[1]])
    forces = np.linalg.solve(rates[:, :3], needed - pushed)
    forces += machine.circuit.friction(np.full(6, ROD_SIDE), machine.velocity(q, zd)[lengths])
    areas = machine.circuit.record[0]['area'][:6].reshape(3, 2)
    p = np.full((3, 2), ROD_SIDE)
    p[:, 0] = (forces + ROD_SIDE * areas[:, 1]) / areas[:, 0]
    return z, zd, q, p.ravel()


def weighed(scales, begin, seconds, load, bucket, at_stop):
    """Let scales see a machine that lifts; return the Weighings that end meanwhile."""
    z, zd, q, p = carried(load, bucket, rate=0.1)
    zdd, covariance = np.zeros(MACHINE.g), 1e-9 * np.eye(3 * MACHINE.g)
    found = [scales.add(round(1e9 * (begin + 0.01 * k)), z, zd, zdd, q, p, covariance, at_stop)
             for k in range(round(100 * seconds))]
    return [one for one in found if one is not None]


def test_the_load_is_what_the_full_tool_weighs_less_the_empty_one():
    scales = Scales(MACHINE, TOOL, PAYLOAD, 0.01)
    assert scales.running is None
    assert weighed(scales, 1.0, 1.0, 40.0, OPENED, False) == []
    assert scales.running.empty
    empty, = weighed(scales, 2.0, 2.0, 900.0, CURLED, True)
    assert empty.empty
    assert empty.gross == pytest.approx(40.0, abs=10.0)
    full, = weighed(scales, 4.0, 1.0, 900.0, 0.0, False)
    assert (full.begin, full.empty) == (2_000_000_000, False)
    assert full.gross == pytest.approx(900.0, abs=10.0)
    assert full.net == pytest.approx(860.0, abs=10.0)
    assert full.net_deviation >= full.gross_deviation
    assert scales.running is None


def test_without_an_empty_tool_before_there_is_no_net_load():
    scales = Scales(MACHINE, TOOL, PAYLOAD, 0.01)
    weighed(scales, 1.0, 1.0, 500.0, CURLED, True)
    full, = weighed(scales, 2.0, 1.0, 500.0, 0.0, False)
    assert full.gross == pytest.approx(500.0, abs=10.0)
    assert np.isnan(full.net)


def test_nothing_is_weighed_away_from_the_stop():
    scales = Scales(MACHINE, TOOL, PAYLOAD, 0.01)
    assert weighed(scales, 1.0, 2.0, 500.0, 0.0, False) == []
    assert scales.running is None
    assert scales.reason


@pytest.mark.parametrize('push', [(0.0, 0.0), (2e4, 1e4), (-5e3, 1.5e4)])
@pytest.mark.parametrize('bucket', [-0.7, 0.2])
def test_the_force_at_the_edge_is_found_in_the_frame_of_the_house(push, bucket):
    z, zd, q, p = carried(1.0, bucket, push)
    found = EdgeForce(MACHINE, TOOL).force(z, zd, zd, q, np.zeros(MACHINE.n), p)
    assert found == pytest.approx(push, abs=0.02 * np.hypot(*push) + 20.0)


def test_what_cannot_be_weighed_is_refused():
    with pytest.raises(ContactError, match='has no section hydraulics'):
        Scales(load_mechanism('six_axis_arm'), TOOL, PAYLOAD, 0.01)
    with pytest.raises(ContactError, match='angles: tip: expected one of x, y'):
        Scales(MACHINE, ToolSettings(angles=('tip',)), PAYLOAD, 0.01)
