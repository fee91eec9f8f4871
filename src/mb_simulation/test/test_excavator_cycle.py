"""The excavator on its pontoon: commands of drives, a machine as built, and the shipped cycle."""

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_simulation.as_built import BuildErrors, as_built, as_mounted, started_beside
from mb_simulation.played_commands import DRIVES, PARAMETERS, VALVES, load_cycle
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.held_commands import HeldCommands

AFLOAT = load_mechanism('excavator_afloat')
START = 1_000_000_000


def test_the_shipped_cycle_has_valves_drives_and_loads():
    commands = load_cycle('excavator_afloat', AFLOAT)
    assert {command.kind for command in commands} == {VALVES, DRIVES, PARAMETERS}
    first = {command.kind: command for command in commands if command.offset == 0}
    assert first[DRIVES].names == ('z', 'roll', 'pitch', 'slew', 'edge.x', 'edge.z')
    assert first[PARAMETERS].names == ('load',)     # though `boom` is a parameter, too
    loads = [command.values[0] for command in commands if command.kind == PARAMETERS]
    assert min(loads) == 1.0
    assert 1000.0 < max(loads) <= 1800.0
    assert commands[-1].offset == 440_000_000_000


def test_drives_hold_their_forces_from_the_stamp_on():
    prototype, held = make_prototype('mujoco', AFLOAT, 0.01, 0.005), HeldCommands(AFLOAT)
    held.add_drives(START, ['roll'], [2e5])
    held.act(prototype, START - 1)
    assert not prototype.drive_torques.any()
    held.act(prototype, START)
    assert dict(zip(AFLOAT.drives, prototype.drive_torques, strict=True)) == dict.fromkeys(
        AFLOAT.drives, 0.0) | {'roll': 2e5}
    before = prototype.state.z[AFLOAT.independent.index('roll')]
    for _ in range(30):
        prototype.advance()
    assert prototype.state.z[AFLOAT.independent.index('roll')] > before + 1e-3


@pytest.mark.parametrize(('names', 'values', 'message'), [
    (['yaw'], [1.0], 'yaw: unknown drive, expected one of z, roll, pitch'),
    (['roll'], [np.nan], 'excavator_afloat: roll: nan must be finite'),
    (['roll'], [], '1 names with 0 values')])
def test_impossible_forces_of_drives_are_refused(names, values, message):
    held = HeldCommands(AFLOAT)
    with pytest.raises(ValueError, match=message):
        held.add_drives(START, names, values)
    assert held.rejected == 1


def test_a_machine_as_built_is_beside_its_file_by_what_is_asked_for():
    errors = BuildErrors(mass=0.04, friction=0.3, stop=5e-4, weld=0.02)
    one, same, other = (as_built(AFLOAT, seed, errors) for seed in (3, 3, 4))
    assert one.text == same.text != other.text
    shares = np.array([body.mass / AFLOAT.bodies[name].mass - 1.0
                       for name, body in one.bodies.items() if not name.startswith('stage')
                       and name != 'load'])
    assert 0.01 < np.abs(shares).max() <= 0.04
    assert one.parameters == AFLOAT.parameters
    frictions = [machine.circuit.record[0]['coulomb'][:3] for machine in (one, AFLOAT)]
    assert frictions[0] == pytest.approx(1.3 * frictions[1])
    off = one.circuit.retracted - AFLOAT.circuit.retracted
    assert 0.0 < np.abs(off).max() < 2e-3
    exact = as_built(AFLOAT, 3, BuildErrors(mass=0.0, friction=0.0, stop=0.0, weld=0.0))
    assert exact.forward_dynamics(exact.z0, exact.zd0) == pytest.approx(
        AFLOAT.forward_dynamics(AFLOAT.z0, AFLOAT.zd0), abs=1e-9)


def test_sensors_of_one_device_turn_together_and_starts_are_beside():
    mounted = as_mounted(AFLOAT, ['boom_gyro', 'boom_accelerometer', 'arm_gyro'], 2)
    turned = {name: mounted.raw['sensors'][name]['rpy']
              for name in ('boom_gyro', 'boom_accelerometer', 'arm_gyro')}
    assert turned['boom_gyro'] == turned['boom_accelerometer'] != turned['arm_gyro']
    assert 0.0 < np.abs(turned['boom_gyro']).max() < 0.2
    assert len(sensors_of(mounted, ['imus'])) == 8
    begun = started_beside(AFLOAT, ['boom_angle'], 2, 0.05)
    place = AFLOAT.independent.index('boom_angle')
    assert 0.0 < abs(begun.z0[place] - AFLOAT.z0[place]) < 0.2
    assert np.delete(begun.z0, place) == pytest.approx(np.delete(AFLOAT.z0, place), abs=1e-9)
