"""The model server for a machine in space whose places may change."""

import numpy as np
from test_served_machines import near, serving
import yaml

from mb_model import load_mechanism


def test_machines_whose_places_may_change_are_served_as_others(tmp_path):
    """A place of the arm is another one; both files have other coordinates q, the same motion."""
    moved = load_mechanism('six_axis_arm').replace(
        bodies={'upper_arm': {'points': {'elbow': [0.015, -0.1197, 'upper']}}})
    variable = moved.replace(bodies={body: {'variable_places': True} for body in moved.bodies})
    assert variable.n > moved.n
    answers = []
    for k, mechanism in enumerate((moved, variable)):
        path = tmp_path / f'arm{k}.yaml'
        path.write_text(yaml.safe_dump(dict(mechanism.raw)))
        with serving(path) as server:
            state = {'z': server.z, 'zd': server.zd}
            dynamics = server.answer('ForwardDynamics', force=server.force, **state)
            linear = server.answer('Linearise', force=server.force, **state)
            answers.append([dynamics.zdd, linear.a, linear.b, server.answer(
                'InverseDynamics', zdd=server.zdd, **state).force])
    for expected, found in zip(*answers, strict=True):
        near(found, np.array(expected), 1e-9)
