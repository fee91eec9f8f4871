"""A load whose centre of gravity is unknown, against inverse dynamics of the true one."""

import numpy as np
import pytest
from test_payload_in_space import EXCAVATOR, LOAD, LOADED, instant

from mb_contact.arguments import ContactError
from mb_contact.nodes.weigh_bag import main
from mb_contact.payload.centred_load import LoadWithCentre
from mb_model import load_mechanism

CENTRE, MASS = [0.05, 0.1, 0.08], 5.0


def arm(centre, mass):
    return load_mechanism('six_axis_arm').replace(
        bodies={'load': {'mass': mass, 'centre_of_gravity': list(centre),
                         'inertia': [0.01, 0.01, 0.01]}},
        joints={'grip': {'kind': 'weld', 'bodies': ['wrist3', 'load'],
                         'at': [[0, 0.08, 0], [0, 0, 0]]}})


TRUE, MODEL = arm(CENTRE, MASS), arm([0.0, 0.1, 0.0], 1.0)


def weighed(true, model, body, size, sigma=0.0, seed=0, rows=200, **chosen):
    """Return the load of a motion of a size [rad], at 50 Hz, under forces with noise [N m]."""
    load, random, g = LoadWithCentre(model, body, **chosen), np.random.default_rng(seed), true.g
    rates = 0.5 + 0.2 * np.arange(g)
    for t in 0.02 * np.arange(rows):
        z = model.z0 + size * np.sin(rates * t)
        zd, zdd = size * rates * np.cos(rates * t), -size * rates ** 2 * np.sin(rates * t)
        force = true.inverse_dynamics(z, zd, zdd) + random.normal(0.0, sigma, g)
        load.add(z, zd, zdd, None, None, np.zeros((0, 0)), force)
    return load.load()


def test_a_motion_gives_mass_and_centre():
    load = weighed(TRUE, MODEL, 'load', 0.5)
    assert load.mass == pytest.approx(MASS, rel=1e-9)
    np.testing.assert_allclose(load.centre, CENTRE, rtol=1e-8)
    assert (load.sums, load.instants) == ((), 200)


def test_deviations_are_how_far_loads_scatter():
    loads = [weighed(TRUE, MODEL, 'load', 0.5, 0.5, seed, rows=100) for seed in range(30)]
    errors = np.array([[one.mass - MASS, *(one.centre - CENTRE)] for one in loads])
    said = np.array([[one.deviation, *one.centre_deviation] for one in loads])
    spread = np.sqrt(np.mean((errors / said) ** 2, axis=0))
    assert (spread > 0.7).all()
    assert (spread < 1.5).all()


def test_an_arm_at_rest_gives_the_mass_and_two_combinations():
    load = weighed(TRUE, MODEL, 'load', 0.0, 0.01)
    assert load.mass == pytest.approx(MASS, abs=5.0 * load.deviation)
    assert np.isinf(load.centre_deviation).all()
    assert len(load.sums) == 2
    moments = dict(zip(('x', 'y', 'z'), MASS * np.array(CENTRE), strict=True))
    found = dict(zip(('x', 'y', 'z'), load.mass * load.centre, strict=True))

    def value(text, of):
        """Return what a combination such as 'mass * x - 1.7 mass * z' is."""
        total, sign = 0.0, 1.0
        for term in text.replace('- ', '+ -').split('+ '):
            factor, _, axis = term.strip().rpartition('mass * ')
            sign = -1.0 if factor.strip() == '-' else float(factor or 1.0)
            total += sign * of[axis]
        return total

    for text in load.sums:
        assert value(text, found) == pytest.approx(value(text, moments), abs=2e-3)


def test_a_drive_with_an_unknown_force_does_not_count():
    others = LoadWithCentre(EXCAVATOR, 'load', ['slew'])
    for seed in range(40):
        z, zd, zdd, p = instant(seed)
        others.add(z, zd, zdd, LOADED.assemble(z), p, np.zeros((0, 0)), None)
    load = others.load()
    assert load.mass == pytest.approx(LOAD, rel=1e-6)
    np.testing.assert_allclose(load.centre[[0, 2]], 0.0, atol=1e-6)


def test_a_load_in_the_plane():
    lower = {'mass': 1.0, 'inertia': 0.1, 'centre_of_gravity': [0.5, 0.0]}
    model = load_mechanism('double_pendulum').replace(bodies={'lower': lower})
    true = model.replace(bodies={'lower': {'mass': 3.3, 'centre_of_gravity': [0.4, 0.1]}})
    load = weighed(true, model, 'lower', 0.6)
    assert load.mass == pytest.approx(3.3, rel=1e-6)
    np.testing.assert_allclose(load.centre, [0.4, 0.1], atol=1e-6)


def test_no_usable_instant_is_no_load_and_other_bodies_are_refused():
    nothing, rest = LoadWithCentre(MODEL, 'load'), np.zeros(6)
    nothing.add(MODEL.z0, rest, rest, None, None, np.zeros((0, 0)), np.full(6, np.nan))
    assert nothing.load() is None
    with pytest.raises(ContactError, match='pressures: missing'):
        LoadWithCentre(EXCAVATOR, 'load').add(*3 * [np.zeros(4)], None, None, np.eye(4), None)
    with pytest.raises(ContactError, match='hook: no body, expected one of shoulder'):
        LoadWithCentre(MODEL, 'hook')


def test_the_scales_of_a_tool_know_its_centre(capsys):
    assert main(['bag', '--tool', '--unknown-centre', 'load']) == 2
    assert '--unknown-centre: not with --tool' in capsys.readouterr().err
