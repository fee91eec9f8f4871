"""The crane with its oil in both simulators, its load and its commands."""

import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer

from mb_model import StepError, WorkCycle, load_mechanism
from mb_model.file_api import message_types
from mb_simulation.played_commands import (
    PARAMETERS,
    VALVES,
    Command,
    bag_commands,
    cycle_commands,
    load_cycle,
)
from mb_simulation.prototypes import ENGINES, joint_steps, make_prototype
from mb_simulation.prototypes.held_commands import HeldCommands

START = 1_000_000_000       # stamp of the first state [ns]
UP_AND_DOWN = ((0.1, 0.4), (0.6, 0.0), (0.9, -0.45), (1.4, 0.0))      # [s], command


@pytest.fixture(scope='module')
def crane():
    return load_mechanism('crane')


def friction(**values):
    """Return what a crane is to be replaced by so that its cylinder rubs otherwise."""
    return {'hydraulics': {'cylinders': {'lift': {'friction': values}}}}


def lift(engine, mechanism, step, load=None):
    """Return z, zd (k, 2) and p (k, v) every 10 ms; load: set after 0.75 s."""
    prototype = make_prototype(engine, mechanism, 1e-2, step)
    held = HeldCommands(mechanism)
    for t, command in UP_AND_DOWN:
        held.add_valves(START + round(1e9 * t), ['directional'], [command])
    if load is not None:
        held.add_parameters(START + 750_000_000, ['load'], [load])
    motion, pressures = [], []
    for _ in range(180):
        prototype.advance(lambda offset: held.act(prototype, START + offset))
        motion.append((*prototype.state.z, *prototype.state.zd))
        pressures.append(prototype.oil.p)
        assert prototype.loop_residual < 3e-5
    return np.array(motion), np.array(pressures)


@pytest.mark.parametrize('load', [None, 120.0], ids=['same load', 'load picked up'])
def test_both_simulators_move_the_crane_alike(crane, load):
    """Without dry friction, where each simulator has its own idea, only their steps differ."""
    smooth = crane.replace(**friction(coulomb=0.0, static=0.0, pressure_difference=0.0,
                                      rod_pressure=0.0))
    (motion, pressures), (other_motion, other_pressures) = (
        lift(engine, smooth, 2.5e-4, load) for engine in ENGINES)
    assert (np.abs(motion - other_motion).max(axis=0) < (2e-6, 1e-4)).all()
    assert np.abs(pressures - other_pressures).max() < 5e3
    assert np.ptp(motion[:, 0]) > 0.02
    assert np.abs(motion[:, 1]).max() < 0.1
    assert pressures.min() > 1e6
    assert pressures.max() < 15e6


@pytest.mark.parametrize('engine', ENGINES)
def test_the_crane_holds_without_commands(engine, crane):
    """The pressures at the start carry arm, piston and load."""
    prototype = make_prototype(engine, crane, 0.1, 1e-3)
    for _ in range(5):
        prototype.advance()
    still = np.zeros(1)
    holding = crane.inverse_dynamics(crane.z0, still, still)
    assert prototype.state.z == pytest.approx(crane.z0, abs=1e-6)
    assert prototype.oil.force == pytest.approx(holding, rel=1e-3)
    assert np.array_equal(prototype.oil.U, crane.circuit.U0)


@pytest.mark.parametrize('engine', ENGINES)
def test_a_load_that_is_set_weighs_as_one_of_the_file(engine, crane):
    """State and oil stay; accelerations are as with that load from the start."""
    started = {'hydraulics': {'volumes': {'v1': {'start': 4.0e6}}}}
    light = make_prototype(engine, crane.replace(**started), 1e-2, 1e-3)
    heavy = make_prototype(engine, crane.replace(parameters={'load': 120.0}, **started), 1e-2, 1e-3)
    before = light.state
    light.set_parameters({'load': 120.0})
    assert light.parameters['load'] == 120.0
    assert light.state.z == pytest.approx(before.z, abs=1e-12)
    assert light.state.zdd[0] < before.zdd[0] - 1.0
    for _ in range(10):
        light.advance()
        heavy.advance()
        assert light.state.q == pytest.approx(heavy.state.q, abs=1e-12)
        assert light.state.qdd == pytest.approx(heavy.state.qdd, abs=1e-9)
        assert light.oil.p == pytest.approx(heavy.oil.p, rel=1e-12)


@pytest.mark.parametrize('engine', ENGINES)
def test_loads_of_nothing_and_of_much(engine, crane):
    prototype = make_prototype(engine, crane.replace(parameters={'load': 0.0}), 1e-2, 1e-3)
    assert prototype.state.zdd == pytest.approx([0.0], abs=0.05)
    prototype.set_parameters({'load': 200.0})
    prototype.advance()
    assert prototype.state.zd[0] < 0.0
    prototype.set_parameters({'load': 0.0})
    for _ in range(100):
        prototype.advance()
    assert prototype.state.zd == pytest.approx([0.0], abs=1e-3)


@pytest.mark.parametrize(('values', 'reason'), [
    ({'lod': 1.0}, 'lod: unknown parameter, expected one of load, load_radius'),
    ({'load': -1.0}, r'bodies\.load\.mass'),
    ({'load': float('nan')}, 'load: nan must be finite'),
    ({'load_radius': 0.2}, 'load_radius: would change the geometry')])
@pytest.mark.parametrize('engine', ENGINES)
def test_parameters_that_cannot_be_are_reported(engine, values, reason, crane):
    prototype = make_prototype(engine, crane, 1e-2, 1e-3)
    held = HeldCommands(crane)
    with pytest.raises(ValueError, match=reason):
        held.add_parameters(START, list(values), list(values.values()))
    assert held.rejected == 1
    with pytest.raises(ValueError, match=reason):
        prototype.set_parameters(values)
    assert prototype.parameters == crane.parameters


@pytest.mark.parametrize(('names', 'commands', 'reason'), [
    (['lift'], [0.5], 'lift: unknown valve, expected one of directional'),
    (['directional'], [1.5], 'directional: command 1.5 must be from -1 to 1'),
    (['directional'], [float('nan')], 'directional: command nan must be'),
    (['directional'], [], '1 names with 0 values')])
def test_commands_that_cannot_be_are_reported(names, commands, reason, crane):
    held = HeldCommands(crane)
    with pytest.raises(ValueError, match=reason):
        held.add_valves(START, names, commands)
    assert (held.used, held.rejected) == (0, 1)


@pytest.mark.filterwarnings('ignore:lsoda. Excess work:UserWarning')
def test_a_step_that_cannot_be_made_leaves_the_state_as_it_was(crane, monkeypatch):
    """The integrator may make two steps only: joints and oil are back, and go on as if unhurt."""
    hurt, unhurt = (make_prototype('mujoco', crane, 1e-3, 1e-3) for _ in range(2))

    def again(prototype):
        """Have it begin anew, with as many steps as are allowed now."""
        prototype.set_parameters(prototype.parameters)

    for prototype in (hurt, unhurt):
        prototype.set_valves(np.array([0.5]))
        for _ in range(100):
            prototype.advance()
        again(prototype)
    before, oil = hurt.state, hurt.oil
    with monkeypatch.context() as patched:
        patched.setattr(joint_steps, 'STEPS', 2)
        again(hurt)
        with pytest.raises(StepError, match=r'no step of 0.001 s of bodies and oil'):
            hurt.advance()
    for name in ('z', 'zd', 'q', 'qd'):
        assert np.array_equal(getattr(hurt.state, name), getattr(before, name))
    assert hurt.state.qdd == pytest.approx(before.qdd, rel=1e-9, abs=1e-9)
    assert np.array_equal(hurt.oil.p, oil.p)
    assert np.array_equal(hurt.oil.U, oil.U)
    again(hurt)
    again(unhurt)
    for prototype in (hurt, unhurt):
        prototype.advance()
    assert hurt.state.q == pytest.approx(unhurt.state.q, abs=1e-10)
    assert hurt.oil.p == pytest.approx(unhurt.oil.p, rel=1e-8)


def test_motion_depends_on_stamps_alone(crane):
    """Commands that come within the delay give the same bits whenever and in whatever order."""
    rng = np.random.default_rng(5)
    commands = [(START + int(t), u) for t, u in zip(
        np.sort(rng.uniform(0, 0.3e9, 30)), rng.uniform(-1, 1, 30), strict=True)]

    def run(jitter):
        prototype = make_prototype('mujoco', crane, 5e-3, 1e-3)
        held = HeldCommands(crane, delay=0.05)
        waiting = sorted((stamp + int(rng.uniform(0, jitter)), stamp, u) for stamp, u in commands)

        def act(offset):
            while waiting and waiting[0][0] <= START + offset:
                _, stamp, u = waiting.pop(0)
                held.add_valves(stamp, ['directional'], [u])
            held.act(prototype, START + offset)

        for _ in range(80):
            prototype.advance(act)
        return held.late, np.concatenate((prototype.state.q, prototype.state.qdd, prototype.oil.p))

    (late, state), (shaken_late, shaken), (too_late, other) = map(run, (0.0, 0.049e9, 0.2e9))
    assert late == shaken_late == 0
    assert np.array_equal(state, shaken)
    assert too_late > 0
    assert not np.array_equal(state, other)


def test_a_service_call_counts_from_the_next_step_on_and_later_stamps_replace_it(crane):
    prototype = make_prototype('multibody', crane, 1e-2, 1e-3)
    held = HeldCommands(crane)
    held.add_parameters(START, ['load'], [20.0])
    held.add_parameters(START + 30_000_000, ['load'], [40.0])
    seen = []
    for k in range(5):
        if k == 2:
            held.add_parameters(0, ['load'], [30.0])
        prototype.advance(lambda offset: held.act(prototype, START + offset))
        seen.append(prototype.parameters['load'])
    assert seen == [20.0, 20.0, 30.0, 40.0, 40.0]
    assert [(time - START, values['load']) for time, values in held.changes] == [
        (0, 20.0), (20_000_000, 30.0), (30_000_000, 40.0)]


def test_a_mechanism_without_oil_takes_parameters(crane):
    dry = crane.replace(hydraulics=None, sensors={'pressure1': None, 'pressure2': None})
    for engine in ENGINES:
        prototype = make_prototype(engine, dry, 1e-2, 1e-3)
        prototype.advance()
        prototype.set_parameters({'load': 10.0})
        state = prototype.state
        assert state.zdd == pytest.approx(dry.replace(parameters={'load': 10.0}).forward_dynamics(
            state.z, state.zd), rel=1e-3)
        assert prototype.oil is None
    with pytest.raises(ValueError, match='unknown valve'):
        HeldCommands(dry).add_valves(START, ['directional'], [0.0])


def test_rows_of_a_cycle_become_commands(crane):
    cycle = WorkCycle(crane.circuit, [0.0, 0.5, 1.0], [[0.0], [0.3], [0.0]],
                      {'load': [50.0, 50.0, 80.0]})
    commands = cycle_commands(cycle, crane.circuit.valves)
    assert [(c.offset, c.kind, c.values) for c in commands] == [
        (0, PARAMETERS, (50.0,)), (0, VALVES, (0.0,)), (500_000_000, VALVES, (0.3,)),
        (1_000_000_000, PARAMETERS, (80.0,)), (1_000_000_000, VALVES, (0.0,))]


def test_the_work_cycle_that_is_shipped_lasts_as_long_as_the_papers(crane):
    commands = load_cycle('crane', crane)
    assert commands[-1].offset == 23_500_000_000
    with pytest.raises(ValueError, match='cycle: digger: no such file, nor one of crane'):
        load_cycle('digger', crane)


def write_bag(folder, commands, start):
    """Write commands into a bag in an order other than by stamps."""
    types = message_types(VALVES, PARAMETERS)
    known = types.types
    with Writer(folder, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connections = {
            kind: writer.add_connection(topic, f'mb_interfaces/msg/{kind}', typestore=types)
            for kind, topic in ((VALVES, '/valve_command'), (PARAMETERS, '/parameter_command'))}
        for command in commands[::-1]:
            header = known['std_msgs/msg/Header'](
                known['builtin_interfaces/msg/Time'](*divmod(start + command.offset, 10 ** 9)), '')
            kind = f'mb_interfaces/msg/{command.kind}'
            message = known[kind](header, list(command.names), np.array(command.values))
            writer.write(connections[command.kind], start, types.serialize_cdr(message, kind))


def test_commands_of_a_bag_keep_their_distances(tmp_path):
    commands = [Command(0, VALVES, ('directional',), (0.0,)),
                Command(300_000_000, PARAMETERS, ('load', 'load_radius'), (80.0, 0.12)),
                Command(1_250_000_000, VALVES, ('directional',), (-0.25,))]
    write_bag(tmp_path / 'bag', commands, 1_795_000_000_123_456_789)
    assert bag_commands(tmp_path / 'bag') == commands
    write_bag(tmp_path / 'empty', [], 0)
    with pytest.raises(ValueError, match='empty: no command on valve_command'):
        bag_commands(tmp_path / 'empty')
    with pytest.raises(FileNotFoundError, match='nothing: no such bag'):
        bag_commands(tmp_path / 'nothing')
