"""Flexible bodies beside EXUDYN's cable elements (absolute nodal coordinates), where installed."""

from copy import deepcopy
from itertools import pairwise

import flexible_machines as machines
import numpy as np
import pytest

from mb_model import simulate
from mb_model.assembly.body_motion import point_positions
from mb_model.mechanism import Mechanism

exudyn = pytest.importorskip('exudyn', reason='EXUDYN is a peer, not a dependency')
items = pytest.importorskip('exudyn.utilities')

ELEMENTS, END = 16, 0.8
LENGTH, MASS = 2.0, 3.0
STIFF = 1e6       # axially, of the peer: the chord of ours keeps its length


def cable(stiffness, gravity, rate):
    """Return (times, places (t, 3, d) of first end, middle, second end) from A, level at first.

    gravity (d); rate: of the beam as a whole at the start about z [rad/s].
    """
    node_kind, element_kind = {
        2: (items.NodePoint2DSlope1, items.ObjectANCFCable2D),
        3: (items.NodePointSlope1, items.ObjectANCFCable)}[len(gravity)]
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    size, still = LENGTH / ELEMENTS, [0.0] * (len(gravity) - 2)
    nodes = [system.AddNode(node_kind(
        referenceCoordinates=[k * size, 0.0, *still, 1.0, 0.0, *still],
        initialVelocities=[0.0, rate * k * size, *still, 0.0, rate, *still]))
        for k in range(ELEMENTS + 1)]
    for first, second in pairwise(nodes):
        element = system.AddObject(element_kind(
            nodeNumbers=[first, second], length=size, massPerLength=MASS / LENGTH,
            bendingStiffness=stiffness, axialStiffness=STIFF))
        system.AddLoad(items.LoadMassProportional(
            markerNumber=system.AddMarker(items.MarkerBodyMass(bodyNumber=element)),
            loadVector=[*gravity, 0.0][:3]))
    ground = system.AddMarker(items.MarkerNodeCoordinate(
        nodeNumber=system.AddNode(items.NodePointGround()), coordinate=0))
    for coordinate in range(len(gravity)):
        system.AddObject(items.CoordinateConstraint(markerNumbers=[ground, system.AddMarker(
            items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=coordinate))]))
    sensors = [system.AddSensor(items.SensorNode(
        nodeNumber=nodes[k], storeInternal=True,
        outputVariableType=exudyn.OutputVariableType.Position)) for k in (0, ELEMENTS // 2, -1)]
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e-3
    settings.timeIntegration.numberOfSteps = round(END / 2e-4)
    settings.timeIntegration.endTime = END
    settings.timeIntegration.verboseMode = 0
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    system.SolveDynamic(settings)
    stored = [system.GetSensorStoredData(sensor) for sensor in sensors]
    return stored[0][:, 0], np.stack([one[:, 1:1 + len(gravity)] for one in stored], axis=1)


def bent(places):
    """Return how far the middle is beside the chord (t)."""
    chord = places[:, 2] - places[:, 0]
    middle = places[:, 1] - places[:, 0]
    return (chord[:, 0] * middle[:, 1] - chord[:, 1] * middle[:, 0]) / np.linalg.norm(
        chord, axis=1)


def ours(stiffness, gravity, rate, **flexible):
    raw = deepcopy(machines.PENDULUM) | {'gravity': gravity, 'start_velocity': {'theta': rate}}
    raw['points'] = {'A': {'fixed': [0.0, 0.0]}, 'B': {'start': [LENGTH, 0.0]}}
    raw['bodies']['arm']['flexible'] = {'bending_stiffness': stiffness, 'shapes': 'free'} | flexible
    mechanism = Mechanism(raw, 'pendulum')
    run = simulate(mechanism, END, 1e-3, 'index3_al', 'trapezoidal')
    order = list(mechanism.points)
    places = point_positions(mechanism, run.q)
    A, B = (places[:, order.index(name)] for name in 'AB')
    chord = (B - A) / LENGTH
    sag = run.z[:, 1:] @ mechanism.bodies['arm'].beam.deflection(0.5 * LENGTH)
    middle = 0.5 * (A + B) + sag[:, None] * np.stack([-chord[:, 1], chord[:, 0]], axis=1)
    return run.t, np.stack([A, middle, B], axis=1)


@pytest.mark.parametrize(('gravity', 'rate', 'share'), [
    ([0.0, -9.81], 0.0, 0.02),      # it falls from level
    ([0.0, -9.81], 4.0, 0.03),      # it turns while it bends, the first frequency being 31 rad/s
])
def test_a_falling_beam_bends_as_in_exudyn(gravity, rate, share):
    t, known = cable(100.0, gravity, rate)
    time, found = ours(100.0, gravity, rate, modes=2)
    at = np.searchsorted(time, t - 1e-9)
    largest = np.abs(bent(known)).max()
    assert largest > 0.008
    assert np.abs(bent(found)[at] - bent(known)).max() < share * largest
    assert np.abs(found[at, 2] - known[:, 2]).max() < 5e-4 * LENGTH


def deflection(places):
    """Return how far the middle is beside the middle of the chord (t, 3)."""
    chord = places[:, 2] - places[:, 0]
    middle = places[:, 1] - 0.5 * (places[:, 0] + places[:, 2])
    chord /= np.linalg.norm(chord, axis=1)[:, None]
    return middle - np.sum(middle * chord, axis=1)[:, None] * chord


def ours_in_space(stiffness, gravity, rate, modes):
    raw = {
        'name': 'pendulum', 'dimension': 3, 'gravity': gravity, 'ground': {'A': [0, 0, 0]},
        'bodies': {'arm': {
            'points': {'A': [0, 0, 0], 'B': [LENGTH, 0, 0], 'C': [0.5 * LENGTH, 0, 0]},
            'mass': MASS, 'flexible': {
                'bending_stiffness': {'about_y': stiffness, 'about_z': stiffness},
                'axial_inertia': 1e-3, 'shapes': 'free', 'modes': modes}}},
        'joints': {'ball': {'kind': 'spherical', 'bodies': ['ground', 'arm.A'], 'at': 'A'}},
        'coordinates': {'turn': {'kind': 'orientation', 'body': 'arm.A'}},
        'independent': ['turn.x', 'turn.y', 'turn.z'], 'start_velocity': {'turn.z': rate}}
    mechanism = Mechanism(raw, 'pendulum')
    run = simulate(mechanism, END, 1e-3, 'index3_al', 'trapezoidal')
    return run.t, np.array([[mechanism.body_motion(f'arm.{name}', q).position for name in 'ACB']
                            for q in run.q])


def test_a_beam_that_falls_while_it_turns_bends_in_both_planes_as_in_exudyn():
    t, known = cable(100.0, [0.0, 0.0, -9.81], 4.0)
    time, found = ours_in_space(100.0, [0.0, 0.0, -9.81], 4.0, 2)
    at = np.searchsorted(time, t - 1e-9)
    sizes = np.abs(deflection(known)).max(axis=0)
    assert sizes[:2].max() > 0.003
    assert sizes[2] > 0.008
    assert np.abs(deflection(found)[at] - deflection(known)).max() < 0.015 * sizes.max()
    assert np.abs(found[at, 2] - known[:, 2]).max() < 5e-4 * LENGTH
