"""Scales and edge of a tool, against statics of the same machine."""

from functools import cache

import numpy as np
import pytest

from mb_contact import CentredMeans, ContactError, EdgeForce, Scales, ToolSettings
from mb_model import load_mechanism
from mb_model.record.hydraulics import AIR_PRESSURE

MACHINE = load_mechanism('excavator_afloat')
TOOL = ToolSettings()
CURLED, OPENED = -1.6, 1.0              # rad
ROD_SIDE = 1e6                          # Pa


@cache
def wrong_machine():
    """Return a machine with links 3 % heavier and friction 30 % more than in the file."""
    cylinders = MACHINE.described.hydraulics.cylinders
    return MACHINE.replace(
        bodies={name: {'mass': 1.03 * MACHINE.bodies[name].mass} for name in TOOL.links},
        hydraulics={'cylinders': {name: {'friction': {
            key: 1.3 * getattr(one.friction, key) for key in ('coulomb', 'static', 'viscous')}}
            for name, one in cylinders.items()}})


def accelerated(speeding):
    """Return the accelerations (g) of a machine whose boom and arm speed up so [rad/s^2]."""
    zdd = np.zeros(MACHINE.g)
    zdd[-3:-1] = speeding
    return zdd


@cache
def carried(load, bucket, push=(0.0, 0.0), rate=0.0, boom=0.45, machine=MACHINE, speeding=0.0):
    """Return z, zd, q and the pressures [Pa] that carry a machine, by its own equations.

    push [N]: at the edge, x and z of the house; rate, speeding: of boom and arm
    [rad/s, rad/s^2]; boom: its angle.
    """
    machine = machine.replace(parameters={'load': load})
    z = machine.z0.copy()
    z[3:6] = 0.05, -0.04, 0.3           # it tilts, and has slewed
    z[-3:] = boom, -1.7, bucket
    q, zd = machine.assemble(z), np.zeros(machine.g)
    zd[-3:-1] = rate
    links = [machine.independent.index(name) for name in TOOL.angles]
    lengths, edge = (machine.indices(names) for names in (
        list(TOOL.cylinders), ['edge.x', 'edge.y', 'edge.z']))
    rates = np.array([machine.velocity(q, one)[[*lengths, *edge]]
                      for one in np.eye(machine.g)[links]])
    turn = machine.body_motion('house', q).rotation
    needed = machine.inverse_dynamics(z, zd, accelerated(speeding))[links]
    pushed = rates[:, 3:] @ turn @ np.array([push[0], 0.0, push[1]])
    forces = np.linalg.solve(rates[:, :3], needed - pushed)
    forces += machine.circuit.friction(np.full(6, ROD_SIDE), machine.velocity(q, zd)[lengths])
    areas = machine.circuit.record[0]['area'][:6].reshape(3, 2)
    p = np.full((3, 2), ROD_SIDE)
    p[:, 0] = AIR_PRESSURE + (forces + (ROD_SIDE - AIR_PRESSURE) * areas[:, 1]) / areas[:, 0]
    return z, zd, q, p.ravel()


def weighed(scales, begin, seconds, load, bucket, at_stop, rate=0.1, noise=0.0, **machine):
    """Let scales see a machine that lifts; return the Weighings that end meanwhile.

    noise [Pa]: of the pressures.
    """
    zdd, covariance = np.zeros(MACHINE.g), 1e-9 * np.eye(3 * MACHINE.g)
    found, random = [], np.random.default_rng(0)
    for k in range(round(100 * seconds)):
        z, zd, q, p = carried(load, bucket, rate=rate, boom=0.3 + 0.1 * (k % 4), **machine)
        found.append(scales.add(round(1e9 * (begin + 0.01 * k)), z, zd, zdd, q,
                                p + noise * random.normal(size=len(p)), covariance, at_stop))
    return [one for one in found if one is not None]


def test_the_load_is_found_on_a_machine_as_in_its_file():
    scales = Scales(MACHINE, TOOL, 0.01)
    weighed(scales, 1.0, 0.5, 500.0, CURLED, True)
    full, = weighed(scales, 2.0, 0.1, 500.0, 0.0, False)
    assert (full.begin, full.empty) == (1_000_000_000, False)
    assert (full.gross, full.net) == pytest.approx((500.0, 500.0), abs=0.1)
    assert full.net_deviation == pytest.approx(full.gross_deviation)
    assert scales.running is None


def test_an_empty_tool_shows_what_links_and_friction_are_wrong_by():
    """Empty both ways, then full."""
    wrong, scales = wrong_machine(), Scales(MACHINE, TOOL, 0.01)
    weighed(scales, 1.0, 0.5, 1.0, OPENED, False, machine=wrong)
    assert scales.running.empty
    weighed(scales, 1.5, 0.5, 1.0, OPENED, False, rate=-0.1, machine=wrong)
    empty, = weighed(scales, 2.0, 0.5, 900.0, CURLED, True, machine=wrong)
    assert empty.empty
    assert empty.gross > 20.0
    assert np.isnan(empty.net)
    full, = weighed(scales, 2.5, 0.7, 900.0, 0.0, False, machine=wrong)
    assert abs(full.gross - 900.0) > 15.0
    assert full.net == pytest.approx(900.0, abs=10.0)
    assert abs(full.net - 900.0) < 1.96 * full.net_deviation < 1.96 * full.gross_deviation
    scales.reset()
    weighed(scales, 1.0, 0.5, 900.0, CURLED, True, machine=wrong)
    again, = weighed(scales, 2.0, 0.1, 900.0, 0.0, False, machine=wrong)
    assert again.net == pytest.approx(again.gross)


def test_a_load_that_changes_while_it_is_weighed_is_uncertain():
    scales = Scales(MACHINE, TOOL, 0.01)
    weighed(scales, 1.0, 0.5, 500.0, CURLED, True)
    before = scales.running.net_deviation
    weighed(scales, 1.5, 0.5, 900.0, CURLED, True)
    assert scales.running.net_deviation > 1.8 * before


def test_the_misfit_says_how_large_the_noise_is():
    """Pressures are claimed to be 1 and 10 times as noisy as they are; else all is known."""
    deviations = []
    for claimed in (2e4, 2e5):
        scales = Scales(MACHINE, ToolSettings(
            pressure_sigma=claimed, mass_uncertainty=1e-5, friction_uncertainty=1e-4), 0.01)
        weighed(scales, 1.0, 2.0, 500.0, CURLED, True, noise=2e4)
        assert abs(scales.running.net - 500.0) < 2.5 * scales.running.net_deviation
        deviations.append(scales.running.net_deviation)
    assert deviations[1] < 4.0 * deviations[0] < 20.0


def test_what_is_left_to_the_next_weighing_has_no_less_noise_than_claimed():
    deviations = []
    for claimed in (2e4, 2e5):
        scales = Scales(MACHINE, ToolSettings(pressure_sigma=claimed), 0.01)
        weighed(scales, 1.0, 0.5, 1.0, OPENED, False)
        weighed(scales, 2.0, 0.5, 500.0, CURLED, True)
        deviations.append(scales.running.net_deviation)
    assert deviations[1] > 3.0 * deviations[0]


def test_what_was_weighed_counts_when_the_stop_is_found_again():
    scales = Scales(MACHINE, ToolSettings(largest_deviation=20.0), 0.01)
    weighed(scales, 1.0, 0.5, 500.0, CURLED, True)
    first = scales.running
    assert first.net_deviation > 20.0
    assert weighed(scales, 2.0, 0.1, 500.0, 0.0, False) == []       # not certain enough
    assert scales.running is None
    weighed(scales, 3.0, 0.02, 500.0, CURLED, True)
    assert scales.running.begin == 3_000_000_000
    assert scales.running.net_deviation < first.net_deviation + 0.1
    weighed(scales, 3.1, 0.1, 1.0, OPENED, False)
    weighed(scales, 4.0, 0.02, 900.0, CURLED, True)
    assert scales.running.net == pytest.approx(900.0, abs=10.0)


def test_nothing_is_weighed_away_from_the_stop_or_while_cylinders_stand():
    scales = Scales(MACHINE, TOOL, 0.01)
    assert weighed(scales, 1.0, 0.2, 500.0, 0.0, False) == []
    assert scales.running is None
    assert scales.reason
    weighed(scales, 2.0, 0.2, 500.0, CURLED, True, rate=0.0)
    assert np.isnan(scales.running.net)
    assert scales.reason == 'no cylinder moves that carries the load'


@pytest.mark.parametrize('push', [(0.0, 0.0), (2e4, 1e4), (-5e3, 1.5e4)])
@pytest.mark.parametrize('bucket', [-0.7, 0.2])
def test_the_force_at_the_edge_is_found_in_the_frame_of_the_house(push, bucket):
    z, zd, q, p = carried(1.0, bucket, push)
    found = EdgeForce(MACHINE, TOOL).force(z, zd, zd, q, p)
    assert found == pytest.approx(push, abs=0.02 * np.hypot(*push) + 20.0)


def test_the_load_that_comes_in_is_moved_with_the_machine():
    """1.2 t that speed up by some 3 m/s^2 pull by 4 kN: the same push is found as at rest."""
    edge, found = EdgeForce(MACHINE, TOOL), []
    for speeding in (0.0, 0.5):
        z, zd, q, p = carried(1200.0, -0.7, (2e4, 1e4), rate=0.2, speeding=speeding)
        found.append(edge.force(z, zd, accelerated(speeding), q, p))
    assert found[1] == pytest.approx(found[0], abs=300.0)


def test_the_mean_of_a_line_is_its_value_at_the_stamp_and_a_gap_ends_what_waits():
    means, found = CentredMeans(0.05), []
    stamps = [round(1e7 * k) for k in (*range(20), 40, 41, 42, 43)]
    for k, stamp in enumerate(stamps):
        found += means.add(stamp, np.array([1.0, -2.0]) * stamp, k % 5 == 0)
        assert all(stamp >= centre + 25_000_000 for centre, _ in found)
    assert [centre for centre, _ in found] == [0, 50_000_000, 100_000_000, 150_000_000, 400_000_000]
    assert found[0][1] == pytest.approx([1e7, -2e7])            # nothing came before
    for centre, mean in found[1:4]:
        assert mean == pytest.approx([centre, -2.0 * centre])
    assert CentredMeans(0.0).add(7, np.ones(2), True)[0][0] == 7


def test_what_cannot_be_weighed_is_refused():
    with pytest.raises(ContactError, match='has no section hydraulics'):
        Scales(load_mechanism('six_axis_arm'), TOOL, 0.01)
    with pytest.raises(ContactError, match='angles: tip: expected one of x, y'):
        Scales(MACHINE, ToolSettings(angles=('tip',)), 0.01)
