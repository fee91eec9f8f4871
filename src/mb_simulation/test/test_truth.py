"""The prototype in MuJoCo against the model: two implementations compared.

Dry friction is MuJoCo's, springs, loads and oil are written a second time, and SciPy's stiff
integrator moves bodies and oil.  What is between the two is small, and known; a formula of the
model that were wrong would stand out.
"""

import ast
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp, trapezoid

from mb_model import Circuit, Mechanism, WorkCycle, load_mechanism
from mb_simulation import prototypes
from mb_simulation.played_commands import cycle_file
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.oil import orifice_flow

CRANE, FOUR_BAR = load_mechanism('crane'), load_mechanism('four_bar')
FAST = 0.02             # m/s of the cylinder, beyond which its friction is no matter of the sign


def block(coulomb, static, push, speed=0.0, viscous=0.0, mass=2.0):
    """Return a block of 2 kg that slides along x under a constant force."""
    return Mechanism({
        'name': 'block', 'gravity': [0.0, 0.0],
        'points': {'A': {'fixed': [0, 0]}, 'B': {'fixed': [1, 0]}, 'P': {'start': [0, 0]},
                   'Q': {'start': [0.1, 0]}},
        'bodies': {'block': {'points': ['P', 'Q'], 'length': 0.1, 'mass': mass}},
        'constraints': {name: {'kind': 'slider', 'point': name, 'along': ['A', 'B']}
                        for name in 'PQ'},
        'forces': {'push': {'kind': 'constant', 'coordinate': 'P.x', 'force': push},
                   'rub': {'kind': 'friction', 'coordinate': 'P.x', 'coulomb': coulomb,
                           'static': static, 'viscous': viscous, 'transition_velocity': 0.01}},
        'independent': ['P.x'], 'start': {'P.x': 0.0}, 'start_velocity': {'P.x': speed}},
        'block.yaml')


def moved(mechanism, engine='mujoco', duration=1.0):
    """Return z, zd (k) of a mechanism every 10 ms."""
    prototype = make_prototype(engine, mechanism, 1e-2, 1e-3)
    found = []
    for _ in range(round(100 * duration)):
        prototype.advance()
        found.append((prototype.state.z[0], prototype.state.zd[0]))
    return np.array(found).T


def test_what_is_pushed_less_than_its_static_friction_stands():
    z, zd = moved(block(3.0, 4.0, 3.9))
    assert np.abs(zd).max() < 1e-5
    creeping, _ = moved(block(3.0, 4.0, 3.9), 'multibody')
    assert creeping[-1] > 100.0 * z[-1]       # where the model has no sticking


def test_a_sliding_block_stops_in_closed_form_and_stays():
    """It brakes by F_c / m, and rests where the work of friction has eaten its energy."""
    z, zd = moved(block(3.0, 3.0, 0.0, speed=0.6))
    t = 0.01 * np.arange(1, len(z) + 1)
    end = 0.6 * 2.0 / 3.0
    gone = np.minimum(t, end)
    np.testing.assert_allclose(z, 0.6 * gone - 0.75 * gone * gone, atol=2e-4)
    assert np.abs(zd[t > end + 0.02]).max() < 1e-5


def test_a_block_that_breaks_away_slides_on_by_the_curve_of_brown_and_mcphee():
    """Against the equation of motion by itself, with the sign of the velocity."""
    z, zd = moved(block(3.0, 4.0, 4.5, viscous=0.7), duration=0.5)

    def rates(_, y):
        w = y[1] / 0.01
        level = 4.0 if w <= 1.0 else 3.0 + w / (0.25 * w * w + 0.75) ** 2
        return y[1], (4.5 - level - 0.7 * y[1]) / 2.0

    expected = solve_ivp(rates, (0.0, 0.5), (0.0, 0.0), rtol=1e-9, atol=1e-12, max_step=1e-3).y
    np.testing.assert_allclose((z[-1], zd[-1]), expected[:, -1], rtol=5e-3)


RUBBING = {'kind': 'friction', 'coordinate': 'theta', 'coulomb': 20.0, 'viscous': 2.0,
           'transition_velocity': 0.02}


def rubbing_four_bar(**changes):
    """Return the linkage in motion: from rest the sign of the velocity would decide it."""
    return FOUR_BAR.replace(forces={'rub': RUBBING | changes}, start_velocity={'theta': -2.0})


def test_a_rubbing_four_bar_is_that_of_the_model_while_it_turns():
    """And a model whose friction is 2 % wrong is farther from it by much more than the two are."""
    truth, _ = moved(rubbing_four_bar(), duration=1.2)
    right, wrong, viscous = (np.abs(moved(model, 'multibody', 1.2)[0] - truth).max() for model in (
        rubbing_four_bar(), rubbing_four_bar(coulomb=20.4), rubbing_four_bar(viscous=2.1)))
    assert 0.0 < right < 1e-4
    assert min(wrong, viscous) > 5.0 * right


def lifted(engine, mechanism, duration=5.0):
    """Return z, zd, and pressures (k, 4) of the shipped work cycle, every 10 ms."""
    cycle = WorkCycle.load(cycle_file('crane'), mechanism)
    prototype, held = make_prototype(engine, mechanism, 1e-2, 1e-3), [None]

    def act(offset):
        command = cycle.valves_at(1e-9 * offset)
        if held[0] is None or (command != held[0]).any():
            prototype.set_valves(command)
            held[0] = command

    found = []
    for _ in range(round(100 * duration)):
        prototype.advance(act)
        found.append((*prototype.state.z, *prototype.state.zd, *prototype.oil.p))
    return np.array(found)


@pytest.fixture(scope='module')
def crane_truth():
    return lifted('mujoco', CRANE)


def while_fast(model, truth):
    """Return the median differences of a model's motion while the crane moves (4)."""
    fast = np.abs(truth[:, 1]) > FAST
    assert fast.sum() > 200
    return np.median(np.abs(lifted('multibody', model) - truth)[fast], axis=0)


def test_the_crane_is_that_of_the_model_but_where_its_cylinder_sticks(crane_truth):
    """Standing, the model creeps: friction up to 0.3 MPa, and what swings after breaking away."""
    assert (while_fast(CRANE, crane_truth) < (2e-6, 4e-6, 2e2, 2e2)).all()
    largest = np.abs(lifted('multibody', CRANE) - crane_truth).max(axis=0)
    assert (largest < (2e-4, 8e-3, 0.4e6, 0.3e6)).all()
    assert (largest > (2e-5, 1e-3, 5e4, 5e4)).all()       # two implementations


@pytest.mark.parametrize('wrong', [
    {'cylinders': {'lift': {'friction': {'coulomb': 315.0, 'static': 415.0}}}},
    {'cylinders': {'lift': {'friction': {'viscous': 3150.0}}}},
    {'cylinders': {'lift': {'friction': {'pressure_difference': 1.8e-5}}}},
    {'cylinders': {'lift': {'piston_diameter': 0.0402}}},
    {'valves': {'directional': {'flow': 1.005e-4}}},
    {'valves': {'directional': {'time_constant': 0.0165}}},
    {'oil': {'bulk_modulus': 1.425e9}}, {'volumes': {'v1': {'bulk_modulus': 1.08e9}}}],
    ids=['seals 15 N', 'viscous 5 %', 'pressure friction 20 %', 'bore 0.5 %', 'orifice 0.5 %',
         'spool 10 %', 'oil 5 %', 'hose 10 %'])
def test_a_model_that_is_wrong_stands_out(wrong, crane_truth):
    """At least one of motion and pressures is three times as far from the truth as it should be."""
    right, found = (while_fast(model, crane_truth)
                    for model in (CRANE, CRANE.replace(hydraulics=wrong)))
    assert (found / right).max() > 3.0


def test_the_flow_of_an_orifice_is_continuous_with_its_slope():
    """Turbulent beyond the transition, odd, and laminar at no drop; Ellman and Piche 1999."""
    transition, step = 0.2e6, 1.0
    assert orifice_flow(3.5e6, transition) == pytest.approx(sqrt(3.5e6))
    for drop in (0.0, 0.3 * transition, transition, 2.0 * transition):
        assert orifice_flow(-drop, transition) == -orifice_flow(drop, transition)
    before, at, after = (orifice_flow(transition + k * step, transition) for k in (-1, 0, 1))
    assert after - at == pytest.approx(at - before, rel=1e-4)
    assert orifice_flow(step, transition) / step == pytest.approx(1.5 / sqrt(transition), rel=1e-4)


def test_pressures_are_those_of_a_hand_written_circuit():
    """A closed volume that a leaking piston pumps: mass is kept, the rest decays as it must."""
    smooth = CRANE.replace(hydraulics={'cylinders': {'lift': {'leakage': 2e-12, 'friction': {
        'coulomb': 0.0, 'static': 0.0, 'pressure_difference': 0.0, 'rod_pressure': 0.0}}}})
    prototype = make_prototype('mujoco', smooth, 1e-2, 1e-3)
    p = [prototype.oil.p]
    s = [prototype.state.z[0]]
    for _ in range(200):
        prototype.advance()
        p.append(prototype.oil.p)
        s.append(prototype.state.z[0])
    p, s = np.array(p), np.array(s)
    bore, rod = np.pi / 4.0 * 0.04 ** 2, np.pi / 4.0 * (0.04 ** 2 - 0.025 ** 2)

    def content(pressure, volume):
        """Volume of oil in a chamber and its hose at a pressure, by what it was at none [m^3]."""
        air = 1e-4 * 101325.0
        inside = 0.2e-3 + volume
        return inside * (1.0 + pressure / 1.5e9 - air / pressure) + 0.2e-3 * pressure / 1.2e9

    total = content(p[:, 0], bore * (s - 0.7)) + content(p[:, 1], rod * (1.15 - s))
    leaked = content(p[:, 0], bore * (s - 0.7))
    assert np.ptp(total) < 2e-2 * np.ptp(leaked)
    drop = trapezoid(p[:, 0] - p[:, 1], dx=1e-2) * 2e-12
    assert leaked[0] - leaked[-1] == pytest.approx(drop, rel=2e-2)


def test_the_stiff_integrator_does_what_another_does():
    """A volume of 1 cm^3 between two orifices, a thousand times stiffer than the crane's."""
    small = CRANE.replace(hydraulics={'volumes': {'v1': {'volume': 1e-6}}})
    prototype = make_prototype('mujoco', small, 1e-2, 1e-3)
    prototype.set_valves(np.array([0.5]))
    for _ in range(30):
        prototype.advance()
    other = make_prototype('mujoco', small, 1e-2, 1e-4)
    other.set_valves(np.array([0.5]))
    for _ in range(30):
        other.advance()
    assert prototype.oil.p == pytest.approx(other.oil.p, rel=1e-3)


# What the prototype has of mb_model beside the file read; docs/explanation/prototype.md lists it.
SHARED = {
    'mb_model.StampedHold', 'mb_model.StepError', 'mb_model.checked_commands',
    'mb_model.equal_steps', 'mb_model.require_sensible', 'mb_model.kernel_api.bound',
    'mb_model.MechanismError',                  # what is refused
    'mb_model.space_api.section_poses',         # how beams are bent at the start
    # Which body hangs on which, and by which turns and ways a kind of joint lets it move.
    *(f'mb_model.space_api.{name}' for name in (
        'GROUND', 'JOINTS', 'Hinge', 'SpatialTree', 'body_tree', 'kind_of', 'single')),
    # Of directions and frames, and what evaluates the expressions of a file.
    'mb_model.space_api.across', 'mb_model.space_api.quaternion', 'mb_model.space_api.rotation',
    'mb_model.kernel_api.run_program', 'mb_model.kernel_api.DEPTH',
    'mb_model.Mechanism', 'mb_model.WorkCycle',                         # types
    *(f'mb_model.arrays.{name}' for name in ('FloatArray', 'IntArray', 'Kernel')),
    'mb_model.Settings', 'mb_model.setting',                            # of what no model knows
    'mb_model.Run', 'mb_model.STATE'}       # what a run is kept in
COMPILING = 'mb_model.jit'
DESCRIPTION = {'name', 'file', 'raw', 'described', 'gravity', 'parameters', 'points', 'bodies',
               'shapes', 'coordinates', 'independent', 'drives', 'circuit', 'n', 'g', 'replace',
               'indices', 'point_index', 'body_indices', 'dimension',
               'model', 'joints',       # model: its counts, fixed points; what nodes are made of
               'flexible_bodies', 'modes'}
START = {'q0', 'z0', 'zd0', 'velocity', 'body_motion', 'inverse_dynamics'}
CIRCUIT = {'valves', 'volumes', 'p0', 'U0', 'least_command'}
# What a contact is worth on z, and coordinates by what the simulator knows: no motion.
REPORT = {'contact_jacobian', 'R', 'assemble', 'acceleration'}
CHECK = {'forward_dynamics'}            # whether commanded parameters let it move, or are refused
# body_motion: at the start, of what is written for MuJoCo, and of the frames of a tree.
STARTING = 'start_rates', '__init__', '_shares', '_slide'
WHERE = {'velocity': ('start_rates', '_seen', '_in_space'),
         'body_motion': (*STARTING, '_in_space'), 'R': ('_in_space',),
         'contact_jacobian': ('_in_plane',), 'assemble': ('_seen',), 'acceleration': ('_seen',),
         'inverse_dynamics': ('_hanging',),     # springs in balance at the start
         **dict.fromkeys(CHECK, ('_require_motion',))}
NAMESAKES = {'force', 'friction', 'energy', 'unit', 'number'}   # of contacts, cylinders, MuJoCo
MECHANISMS, CIRCUITS = {'mechanism', '_mechanism', 'changed'}, {'circuit', 'start'}


def methods(one):
    """Return the names of the public methods of a class."""
    return {name for name in dir(one) if not name.startswith('_') and callable(getattr(one, name))}


def owner_of(node):
    """Return the last name of an expression like a.b, '' of any other."""
    return getattr(node, 'id', getattr(node, 'attr', ''))


def equations_used(source):
    """Return what a source calls of mb_model that is neither description, start nor report.

    Imports, attributes of mechanisms and circuits, and methods of these under any name.
    """
    tree, found = ast.parse(source), set()
    inside = {id(node): function.name for function in ast.walk(tree)
              if isinstance(function, ast.FunctionDef) for node in ast.walk(function)}
    allowed, equations = DESCRIPTION | START | REPORT | CHECK, methods(Mechanism) | methods(Circuit)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = {f'{node.module}.{one.name}' for one in node.names}
            if node.level:
                found |= names
            elif node.module.split('.')[0] == 'mb_model' and node.module != COMPILING:
                found |= names - SHARED
        elif isinstance(node, ast.Import):
            found |= {one.name for one in node.names if one.name.split('.')[0] == 'mb_model'}
        elif isinstance(node, ast.Name) and node.id in ('import_module', '__import__'):
            found.add(node.id)
        elif isinstance(node, ast.Call) and getattr(node.func, 'id', '') == 'getattr':
            if owner_of(node.args[0]) in MECHANISMS | CIRCUITS:
                found.add('getattr')
        elif isinstance(node, ast.Attribute):
            owner = owner_of(node.value)
            if ((owner in MECHANISMS and node.attr not in allowed)
                    or (owner in CIRCUITS and node.attr not in CIRCUIT)
                    or node.attr in equations - allowed - CIRCUIT - NAMESAKES
                    or (node.attr in WHERE and inside.get(id(node)) not in WHERE[node.attr])):
                found.add(f'{owner}.{node.attr}')
    return found


def own_sources():
    """Return the files of the prototypes but for the one that is the model's own simulation."""
    return [file for file in Path(prototypes.__file__).parent.rglob('*.py')
            if file.name != 'multibody_prototype.py']


@pytest.mark.parametrize('file', own_sources(), ids=lambda file: file.stem)
def test_the_prototype_calls_no_equation_of_the_model(file):
    """Of mb_model it has the file as read, the start, and helpers without any equation."""
    assert equations_used(file.read_text(encoding='utf-8')) == set()


@pytest.mark.parametrize(('source', 'found'), [
    ('import mb_model', 'mb_model'),
    ('import mb_model.kernels.forces as f', 'mb_model.kernels.forces'),
    ('from mb_model import load_mechanism', 'mb_model.load_mechanism'),
    ('from mb_model.stepping.formulation_stepper import make_stepper',
     'mb_model.stepping.formulation_stepper.make_stepper'),
    ('from mb_model.kernel_api import bound, mass_matrix', 'mb_model.kernel_api.mass_matrix'),
    ('mechanism.forward_dynamics(z, zd)', 'mechanism.forward_dynamics'),
    ('self._mechanism.R(q)', '_mechanism.R'), ('m = mechanism; m.R(q)', 'm.R'),
    ('find = one.acceleration', 'one.acceleration'), ('mechanism.equations', 'mechanism.equations'),
    ('mechanism.circuit.rates(p)', 'circuit.rates'),
    ('getattr(mechanism, name)(q)', 'getattr'),
    ('def advance(self):\n    mechanism.velocity(q, zd)', 'mechanism.velocity')])
def test_an_equation_of_the_model_would_be_found(source, found):
    assert equations_used(source) == {found}
