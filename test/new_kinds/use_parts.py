"""What is made of the kinds of shapes and valves beside this file, as JSON."""

import json

import mujoco
import numpy as np

from mb_evaluation.scene import Solids
from mb_model import load_mechanism
from mb_model.kind_api import schema_page, shapes_of
from mb_simulation.collisions.collision import Collision
from mb_simulation.collisions.planar_posture import PlanarPosture, PlanarShapes
from mb_simulation.prototypes.bodies_in_mujoco import add_planar_shape

FLOW, DROP = 2e-4, 3.5e6


def error(function, **changes):
    """Return the text of the error that a function raises, '' if it raises none."""
    try:
        function(**changes)
    except ValueError as wrong:
        return str(wrong)
    return ''


def of_shapes():
    """Return what pictures, viewers, collisions and MuJoCo make of a finger."""
    bodies = {'coupler': {'shape': {'kind': 'finger', 'radius': 0.2, 'between': ['P2', 'P1']}}}
    robot = load_mechanism('four_bar').replace(bodies=bodies)
    q = robot.assemble(robot.z0)
    posture = PlanarPosture(PlanarShapes(robot), q, np.zeros(robot.n))
    outline, = (shape.vertices()[0] for shape in shapes_of(robot, q) if shape.name == 'coupler')
    needle = Collision(('coupler',), time=1.0, radius=1e-13)
    gaps = [posture.gaps(needle, place)[0] for place in outline]
    middle = posture.lines[0].mean(axis=0)
    spec = mujoco.MjSpec()
    add_planar_shape(spec.worldbody, 'coupler', robot.shapes['coupler'])
    geom, = spec.worldbody.geoms
    return {'ends': robot.shapes['coupler'].ends, 'gaps': gaps,
            'inside': posture.gaps(needle, middle)[0],
            'solids': [solid.kind for solid in Solids(robot).bodies['coupler']],
            'geom': [geom.type.name, geom.fromto.tolist()],
            'error': error(robot.replace, bodies={'coupler': {'shape': {'between': ['P1', 'B']}}})}


def of_valves():
    """Return the flows through a diverter, and what commands it takes."""
    crane = load_mechanism('crane').replace(hydraulics={'valves': {'directional': None, 'way': {
        'kind': 'diverter', 'from': 'v1', 'above': 'pump', 'below': 'tank', 'flow': FLOW,
        'pressure_drop': DROP}}})
    circuit = crane.circuit
    p = np.array([30e5, 20e5])
    return {'valves': circuit.valves, 'least': circuit.least_command,
            'flows': [circuit.flows(p, [u]) for u in (-0.5, 0.0, 1.0)],
            'drops': p[0] - np.array(list(crane.described.hydraulics.supplies.values())),
            'supplies': list(crane.described.hydraulics.supplies),
            'error': error(crane.replace, hydraulics={'valves': {'way': {'below': 'pond'}}}),
            'bound': error(crane.replace, hydraulics={'valves': {'way': {'start': -2.0}}})}


def main():
    """Print what comes out."""
    print(json.dumps({'shapes': of_shapes(), 'valves': of_valves(), 'page': schema_page()},
                     default=np.ndarray.tolist))


if __name__ == '__main__':
    main()
