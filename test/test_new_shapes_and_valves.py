"""Kinds of shapes and valves that another package adds, each in one file, are known by all."""


from installed_kinds import made_with
import numpy as np
import pytest

FLOW, DROP = 2e-4, 3.5e6                # as in use_parts.py


@pytest.fixture(scope='module')
def made(tmp_path_factory):
    """What new_kinds/use_parts.py prints where the kinds are installed."""
    return made_with('use_parts.py', tmp_path_factory.mktemp('site'), {
        'mb_model.shapes.kinds': 'finger', 'mb_model.valves.kinds': 'diverter'})


def test_the_page_of_mechanism_files_lists_them(made):
    for text in ('### kind: finger', '| `between` | two names | required | The two points. |',
                 '### kind: diverter', '| `above` |', 'Spool at the start, -1 to 1 of full'):
        assert text in made['page']


def test_pictures_viewers_collisions_and_mujoco_show_the_shape(made):
    shape = made['shapes']
    assert shape['ends'] == [[8.0, 0.0], [0.0, 0.0]]
    np.testing.assert_allclose(shape['gaps'], 0.0, atol=1e-12)       # the outline is its surface
    assert shape['inside'] == pytest.approx(-0.2)
    assert shape['solids'] == ['box', 'cylinder', 'cylinder']
    assert shape['geom'] == ['mjGEOM_CAPSULE', [8.0, 0.0, 0.0, 0.0, 0.0, 0.0]]


def test_flows_through_the_valve(made):
    """Q = flow root(drop / nominal drop) |U|, above the laminar pressure."""
    valve = made['valves']
    assert (valve['valves'], valve['least']) == (['way'], [-1.0])
    above, below = (FLOW * np.sign(drop) * np.sqrt(abs(drop) / DROP) for drop in (
        valve['drops'][valve['supplies'].index(name)] for name in ('pump', 'tank')))
    np.testing.assert_allclose(valve['flows'], [[0.0, 0.5 * below], [0.0, 0.0], [above, 0.0]],
                               rtol=1e-9, atol=1e-12)


def test_what_is_wrong_is_reported(made):
    assert 'bodies.coupler.shape.between' in made['shapes']['error']
    assert "'B': unknown point of the body, expected one of P1, P2" in made['shapes']['error']
    assert "hydraulics.valves.way.below: 'pond': unknown volume or supply" in (
        made['valves']['error'])
    assert 'hydraulics.valves.way.start: -2.0 must be >= -1' in made['valves']['bound']
