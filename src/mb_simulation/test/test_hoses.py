"""Hoses that throttle, supplies that ripple or sag, in the prototype alone: closed forms."""

from math import pi, sin

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_model import MechanismError, load_mechanism
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.oil import orifice_flow
from mb_simulation.prototypes.unmodelled import UnmodelledSettings, real_machine

CRANE = load_mechanism('crane')
DROP, FLOW = 0.3e6, 1e-4
AREA = pi / 4.0 * 0.04 ** 2


def moved(seconds, **settings):
    """Return the prototype of a crane that has lifted for a time."""
    prototype = make_prototype('mujoco', CRANE, 1e-2, 1e-3,
                               unmodelled=UnmodelledSettings(**settings))
    prototype.set_valves([0.5])
    for _ in range(round(seconds / 1e-2)):
        prototype.advance()
    return prototype


def test_a_hose_drops_the_pressure_by_the_square_of_the_flow():
    """The valve's end of the piston side's hose less the other one, at a steady speed."""
    ends = [moved(1.2, hose_pressure_drop=DROP, hose_flow=FLOW, pressures_at=at)
            for at in ('valve', 'cylinder')]
    drop = ends[0].oil.p[0] - ends[1].oil.p[0]
    flow = AREA * ends[0].state.zd[0]
    assert drop == pytest.approx(DROP * (flow / FLOW) ** 2, rel=0.03)
    assert len(ends[0].oil.p) == 2


def test_a_hose_that_hardly_throttles_changes_nothing():
    plain, hose = (moved(0.3, **settings) for settings in ({}, {'hose_pressure_drop': 10.0}))
    np.testing.assert_allclose(hose.state.z, plain.state.z, atol=1e-5)
    np.testing.assert_allclose(hose.oil.p, plain.oil.p, rtol=2e-2)


def test_hoses_are_at_rest_as_the_crane_is():
    prototype = make_prototype('mujoco', CRANE, 0.1, 1e-3, unmodelled=UnmodelledSettings(
        hose_pressure_drop=DROP))
    before = prototype.oil.p
    prototype.advance()
    np.testing.assert_allclose(prototype.oil.p, before, rtol=1e-5)


def test_a_volume_behind_a_throttle_follows_the_ripple_of_the_supply():
    """A dead volume of oil, integrated by SciPy; parameters change in the middle."""
    dead, mean, amplitude, rate = (2e-4, 1e9), 14e6, 2e6, 20.0
    machine = CRANE.replace(hydraulics={
        'volumes': {'dead': {'volume': dead[0], 'bulk_modulus': dead[1], 'start': 13e6}},
        'valves': {'bleed': {'kind': 'throttle', 'from': 'pump', 'to': 'dead', 'flow': 1e-4,
                             'pressure_drop': 3.5e6}}})
    prototype = make_prototype('mujoco', machine, 1e-3, 1e-3, unmodelled=UnmodelledSettings(
        ripple_amplitude=amplitude, ripple_rate=rate))
    found = []
    for k in range(150):
        if k == 70:
            prototype.set_parameters({'load': 60.0})
        prototype.advance()
        found.append(prototype.oil.p[2])

    def pressure_rate(t, p):
        supply = mean + amplitude * sin(2.0 * pi * rate * t)
        capacity = dead[0] / dead[1] + dead[0] * (1.0 / 1.5e9 + 1e-4 * 101325.0 / p[0] ** 2)
        return 1e-4 / 3.5e6 ** 0.5 * orifice_flow(supply - p[0], 0.2e6) / capacity

    t = 1e-3 * np.arange(1, 151)
    known = solve_ivp(pressure_rate, (0.0, t[-1]), [13e6], 'LSODA', t, rtol=1e-9, atol=1e-3).y[0]
    assert np.ptp(known) > 1e6
    np.testing.assert_allclose(found, known, rtol=1e-5)


@pytest.mark.parametrize('settings', [{'hose_pressure_drop': DROP}, {'ripple_amplitude': 1e5},
                                      {'supply_pressure_drop': 1e6}])
def test_machines_without_oil_have_neither(settings):
    with pytest.raises(MechanismError, match=f'four_bar.yaml: unmodelled.{next(iter(settings))}'):
        real_machine(load_mechanism('four_bar'), UnmodelledSettings(**settings))


def test_a_pump_sags_by_the_square_of_the_flow_and_comes_back():
    """At a steady speed; then, at rest, as SciPy integrates the throttle into a volume of oil."""
    drop, flow, volume = 2e6, 1e-4, 5e-3
    prototype = moved(1.6, supply_pressure_drop=drop, supply_flow=flow, supply_volume=volume)
    drawn = AREA * prototype.state.zd[0]
    assert 14e6 - prototype.oil.supply_p[0] == pytest.approx(drop * (drawn / flow) ** 2, rel=0.03)
    assert prototype.oil.supply_p[1] == 0.2e6
    assert len(prototype.oil.p) == 2
    prototype.set_valves([0.0])
    found = []
    for _ in range(50):
        prototype.advance()
        found.append(prototype.oil.supply_p[0])

    def pressure_rate(_, p):
        capacity = volume / 1.5e9 + volume * (1.0 / 1.5e9 + 1e-4 * 101325.0 / p[0] ** 2)
        return flow / drop ** 0.5 * orifice_flow(14e6 - p[0], 0.2e6) / capacity

    t = 1e-2 * np.arange(1, 51)
    closed = 20         # spools are closed by then: e^-13
    known = solve_ivp(pressure_rate, (t[closed], t[-1]), [found[closed]], 'LSODA', t[closed:],
                      rtol=1e-9, atol=1e-3).y[0]
    assert known[-1] - known[0] > 0.02e6
    np.testing.assert_allclose(found[closed:], known, atol=5e2)
