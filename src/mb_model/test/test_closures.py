"""Joints that close loops: a point on a line, and welds, against closed forms and whole bodies."""

import copy

import numpy as np
import pytest

from mb_model import Mechanism, load_mechanism

HINGE = {'kind': 'revolute', 'axis': [0, 0, 1]}
BAR = {'mass': 1.0, 'centre_of_gravity': [0.2, 0, 0], 'inertia': [0.001, 0.01, 0.01]}


def test_a_crank_pushes_a_point_along_a_line():
    crank, rod = 0.3, 0.8
    slider = Mechanism({
        'name': 'slider', 'dimension': 3,
        'bodies': {'crank': BAR | {'pose': {'turn': [0, 0, 0.5]}},
                   'rod': BAR | {'pose': {'at': [0.26, 0.14, 0], 'turn': [0, 0, -0.2]}}},
        'joints': {'a': HINGE | {'bodies': ['ground', 'crank'], 'at': [[0, 0, 0], [0, 0, 0]],
                                 'references': [[1, 0, 0], [1, 0, 0]]},
                   'b': HINGE | {'bodies': ['crank', 'rod'], 'at': [[crank, 0, 0], [0, 0, 0]]},
                   'slot': {'kind': 'in_line', 'bodies': ['ground', 'rod'],
                            'at': [[0.1, 0, 0], [rod, 0, 0]], 'axis': [1, 0, 0]}},
        'coordinates': {'turn': {'kind': 'angle', 'joint': 'a'},
                        's': {'kind': 'slider', 'joint': 'slot'}},
        'independent': ['turn'], 'start': {'turn': 0.5}}, 'slider')
    assert slider.g == 1
    for turn in (0.5, 1.2, -0.9):
        s = slider.assemble([turn])[slider.coordinates.index('s')]
        assert s == pytest.approx(crank * np.cos(turn) - 0.1 + np.sqrt(
            rod ** 2 - (crank * np.sin(turn)) ** 2), abs=1e-9)
    assert slider.reactions([0.9], [2.0]).residual < 1e-8


def test_a_free_body_on_a_line_has_four_degrees_of_freedom():
    bead = Mechanism({
        'name': 'bead', 'dimension': 3, 'gravity': [0, 0, -9.81],
        'bodies': {'bead': BAR | {'centre_of_gravity': [0, 0, 0], 'pose': {'at': [0.3, 0, 0.4]}}},
        'joints': {'wire': {'kind': 'in_line', 'bodies': ['ground', 'bead'],
                            'at': [[0, 0, 0], [0, 0, 0]], 'axis': [0.6, 0, 0.8]}},
        'coordinates': {'s': {'kind': 'slider', 'joint': 'wire'},
                        'turn': {'kind': 'orientation', 'body': 'bead'}},
        'independent': ['s', 'turn.x', 'turn.y', 'turn.z'], 'start': {'s': 0.5}}, 'bead')
    still = np.zeros(4)
    zdd = bead.forward_dynamics(bead.z0, still)
    np.testing.assert_allclose(zdd, [-9.81 * 0.8, 0.0, 0.0, 0.0], atol=1e-9)
    reaction = bead.reactions(bead.z0, still).joints['wire']
    assert np.linalg.norm(reaction.force) == pytest.approx(9.81 * 0.6)


def test_a_weld_closes_a_loop_as_a_whole_body_does():
    """A rocker in two halves that are welded moves and needs torques as in one piece."""
    whole = load_mechanism('spatial_four_bar')
    raw = copy.deepcopy(dict(whole.raw))
    rocker = raw['bodies'].pop('rocker')
    half = {'mass': 2.5, 'centre_of_gravity': [1.25, 0, 0],
            'inertia': [0.0, 2.5 * 2.5 ** 2 / 12, 2.5 * 2.5 ** 2 / 12]}
    far = copy.deepcopy(rocker['pose'])
    raw['bodies'] |= {
        'near': half | {'points': {'P2': [0, 0, 0], 'M': [2.5, 0, 0]}, 'pose': far},
        'far': half | {'points': {'M': [0, 0, 0], 'B': [2.5, 0, 0]}}}
    for name, joint in raw['joints'].items():
        body = 'near' if name == 'hinge3' else 'far'
        raw['joints'][name] = joint | {'bodies': [
            body if one == 'rocker' else one for one in joint['bodies']]}
    raw['joints']['seam'] = {'kind': 'weld', 'bodies': ['near', 'far'], 'at': 'M'}
    for section in ('sensors', 'sensor_groups'):
        raw.pop(section, None)
    welded = Mechanism(raw, 'welded')
    z, zd = whole.z0 + 0.2, [1.3]
    np.testing.assert_allclose(welded.forward_dynamics(z, zd), whole.forward_dynamics(z, zd),
                               rtol=1e-8)
