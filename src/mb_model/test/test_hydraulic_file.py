"""Circuits in mechanism files and work cycles: what is wrong is reported in words."""

from dataclasses import replace
from pathlib import Path
import textwrap

import numpy as np
import pytest

from mb_model import MechanismError, Run, load_mechanism
from mb_model.commands import show, simulate as command
from mb_model.hydraulics import HydraulicStepper, WorkCycle
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.file import parse_mechanism
from mb_model.pictures.plotting import plot
from mb_model.simulation.arrays import oil_arrays

CRANE = load_mechanism('crane')
LIFT, VALVE = 'cylinders.lift', 'valves.directional'


def changed(path, value):
    """Return overrides of one entry of `hydraulics` by its path."""
    for key in reversed(path.split('.')):
        value = {key: value}
    return {'hydraulics': value}


@pytest.mark.parametrize(('path', 'value', 'message'), [
    ('oil.bulk_modulus', -1.0, 'oil.bulk_modulus: -1.0 must be > 0'),
    ('oil.colour', 'red', 'oil.colour: unknown key, expected one of bulk_modulus'),
    ('supplies.v1', 1e5, 'volumes.v1: is the name of a supply'),
    ('volumes.v1.volume', 0, 'volumes.v1.volume: 0 must be > 0'),
    ('volumes.v1.volume', '1 l', "volumes.v1.volume: '1 l'"),
    ('volumes.v3', {'volume': 1e-4}, 'volumes.v3.start: missing: no cylinder decides it'),
    ('volumes.v2.start', None, 'volumes.v2.start: missing: lift can be held with any, name one'),
    (f'{LIFT}.coordinate', 'lift', f"{LIFT}.coordinate: 'lift': unknown coordinate that is a "
                                   'length, expected one of s'),
    (f'{LIFT}.piston_side', 'v9', f"{LIFT}.piston_side: 'v9': unknown volume or supply, expected "
                                  'one of v1, v2, pump, tank'),
    (f'{LIFT}.rod_side', 'v1', f'{LIFT}.rod_side: v1 is at the piston side already'),
    (f'{LIFT}.rod_diameter', 0.04, f"{LIFT}.rod_diameter: 0.04 must be < 0.04, the piston's"),
    (f'{LIFT}.stroke', None, f'{LIFT}.stroke: missing'),
    (f'{LIFT}.friction.static', 100.0, f'{LIFT}.friction.static: 100 must be >= 300'),
    ('cylinders.twin', CRANE.raw['hydraulics']['cylinders']['lift'],
     'cylinders.twin.coordinate: s belongs to lift already'),
    (f'{VALVE}.kind', 'servo', f"{VALVE}.kind: 'servo': unknown kind of valve, expected one of "
                               'directional, throttle, two_way'),
    (f'{VALVE}.A', 'tank', f'{VALVE}: two ports that it connects are both on tank'),
    (f'{VALVE}.start', 1.5, f'{VALVE}.start: 1.5 must be <= 1'),
])
def test_a_circuit_that_cannot_be(path, value, message):
    with pytest.raises(MechanismError) as error:
        CRANE.replace(**changed(path, value))
    assert str(error.value).startswith(f'crane.yaml: hydraulics.{message}')


def test_what_shows_when_the_circuit_is_made():
    # A load that pulls the piston up needs a pressure that the other side does not give.
    upside_down = CRANE.replace(gravity=[0.0, 98.1])
    with pytest.raises(MechanismError, match=r'volumes\.v1\.start: holding the mechanism still'):
        _ = upside_down.circuit
    with pytest.raises(ValueError, match=r'four_bar\.yaml: has no hydraulics'):
        HydraulicStepper(load_mechanism('four_bar'))
    stepper = HydraulicStepper(CRANE)
    with pytest.raises(ValueError, match=r'U_in: .* must be finite'):
        stepper.set_valves([np.nan])
    with pytest.raises(ValueError, match='one for each of directional'):
        stepper.set_valves([0.0, 0.0])
    with pytest.raises(MechanismError, match='weight: is no parameter of the model'):
        stepper.set_parameter('weight', 1.0)
    both = CRANE.replace(hydraulics={'cylinders': {'lift': {'stroke': '0.009 * load'}}})
    with pytest.raises(MechanismError, match=r'lift\.stroke: depends on load, which can be no'):
        HydraulicStepper(both).set_parameter('load', 60.0)


def test_a_single_acting_cylinder_sinks_by_its_weight():
    """Port B plugged, rod side open to the air: the valve lifts, and lets down."""
    mechanism = CRANE.replace(hydraulics={
        'volumes': {'v2': None},
        'cylinders': {'lift': {'rod_side': None}},
        'valves': {'directional': {'B': None}}})
    circuit = mechanism.circuit
    assert circuit.volumes == ('v1',)
    assert circuit.T_pQ.shape == (1, 2)
    stepper = HydraulicStepper(mechanism)
    rates = []
    for command_ in (0.3, -0.3):
        stepper.set_valves([command_])
        for _ in range(500):
            stepper.step(1e-3)
        rates.append(stepper.sd[0])
    assert rates[0] > 0.01
    assert rates[1] < -0.01


def test_the_circuit_of_the_page():
    section = (Path(__file__).parents[3] / 'docs/how_to/hydraulics.md').read_text('utf-8')
    block = textwrap.dedent(section[section.index('    name:'):section.index('\n\n*')])
    table = Mechanism(*parse_mechanism(block, 'lifting_table.yaml'))
    stepper = HydraulicStepper(table)
    rates = []
    for commands in ([0.0, 0.0], [0.5, 0.0], [0.0, 0.3]):
        stepper.set_valves(commands)
        for _ in range(400):
            stepper.step(1e-3)
        rates.append(stepper.sd[0])
    assert abs(rates[0]) < 1e-6
    assert rates[1] > 0.02
    assert rates[2] < -0.02


def test_a_work_cycle_holds_its_rows(tmp_path):
    file = tmp_path / 'cycle.csv'
    file.write_text('t,load,directional\n0.5,50,0.25\n0.75,80,-1\n\n')
    cycle = WorkCycle.load(file, CRANE)
    assert cycle.duration == 0.75
    times = (0.0, 0.499, 0.1 * 5, 0.74, 0.75, 9.0)
    assert [float(cycle.valves_at(t)[0]) for t in times] == [0.0, 0.0, 0.25, 0.25, -1.0, -1.0]
    assert [cycle.parameters_at(t) for t in times[1:3]] == [{}, {'load': 50.0}]


@pytest.mark.parametrize(('text', 'message'), [
    ('', 'line 1: must name the columns: t,directional'),
    ('t\n0\n', 'line 1: must name the columns'),
    ('t,valve\n0,1\n', 'line 1: valve: expected t, then each at most once of directional, load'),
    ('t,load,load\n', 'line 1: load: expected'),
    ('t,load\n', 'line 2: must have numbers'),
    ('t,load\n0\n', "line 2: '0' must be 2 numbers"),
    ('t,load\n0,x\n', "line 2: '0,x' must be 2 numbers"),
    ('t,load\n0,1\n0,2\n', 't must increase'),
    ('t,load\n0,nan\n', 'finite'),
    ('t,directional\n0,1\n1,-1.5\n', 'line 3: directional: -1.5 must be >= -1 and <= 1'),
])
def test_a_work_cycle_that_cannot_be(tmp_path, text, message):
    file = tmp_path / 'cycle.csv'
    file.write_text(text)
    with pytest.raises(ValueError, match=r'cycle\.csv') as error:
        WorkCycle.load(file, CRANE)
    assert message in str(error.value)


def test_simulate_with_a_work_cycle(tmp_path, capsys):
    (tmp_path / 'cycle.csv').write_text('t,directional,load\n0,0.5,50\n0.1,0.5,80\n')
    assert command.main(['crane', '--duration', '0.2', '--work-cycle', str(tmp_path / 'cycle.csv'),
                         '--save', str(tmp_path / 'run.npz'), '--plot', str(tmp_path / 'a.png'),
                         ]) == 0
    assert 'crane · hydraulic, rosenbrock · step 1 ms' in capsys.readouterr().out
    run = Run.load(tmp_path / 'run.npz')
    assert run.has_oil
    assert run.p.shape == (201, 2)
    assert set(run.parameters['load']) == {50.0, 80.0}
    assert run.energy().drift.max() < 0.1
    run.save(tmp_path / 'bag')
    again = Run.load(tmp_path / 'bag')
    arrays, others = ([one.t, one.z, one.qdd, *oil_arrays(one).values()] for one in (run, again))
    assert len(arrays) == 9
    for one, other in zip(arrays, others, strict=True):
        assert one.tobytes() == other.tobytes()
    assert show.main([str(tmp_path / 'bag')]) == 0
    supplies = np.column_stack([14e6 - 1e6 * run.t, np.full(len(run.t), 0.2e6)])
    varying = replace(run, supply_p=supplies)
    labels = [line.get_label() for axes in plot(varying).axes for line in axes.lines]
    assert {'v1', 'v2', 'pump', 'tank'} <= set(labels)
    for path in (tmp_path / 'varying.npz', tmp_path / 'varying'):
        varying.save(path)
        assert Run.load(path).supply_p.tobytes() == supplies.tobytes()
    assert again.supply_p is None
    assert command.main(['crane', '--duration', '0.1', '--formulation', 'matrix_r']) == 0
    assert command.main(['crane', '--setting', 'penalty=1', '--duration', '0.1']) == 2
    assert command.main(['four_bar', '--work-cycle', str(tmp_path / 'cycle.csv')]) == 2
    assert 'only for a mechanism with hydraulics' in capsys.readouterr().err
