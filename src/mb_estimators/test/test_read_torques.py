"""Torques that are measured count at their stamps; commands hold from theirs on."""

import numpy as np
import pytest

from mb_estimators import FitRecording, FitSettings, ReadTorques, fit, read_samples
from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.command_api import import_log

SLIDE = """
name: slide
dimension: 3
ground: {O: [0, 0, 0]}
bodies:
  carriage: {mass: 40.0, centre_of_gravity: [0, 0, 0], inertia: [1, 1, 1], points: {O: [0, 0, 0]}}
joints: {rail: {kind: prismatic, bodies: [ground, carriage], at: O, axis: [1, 0, 0]}}
coordinates: {x: {kind: slider, joint: rail}}
independent: [x]
drives: [x]
forces: {rub: {kind: friction, coordinate: x, viscous: 10.0, coulomb: 0.0}}
sensors: {ruler: {kind: linear_encoder, coordinate: x, sigma: 1.0e-6}}
"""
STEP, MASS, VISCOUS = 0.02, 40.0, 30.0      # s, kg, N s/m
FITTED = ['bodies.carriage.mass', 'forces.rub.viscous']


def fitted(folder, torques_are=None, delay=0.0):
    """Return (mass, viscous friction) of a recording whose forces are `delay` [s] late."""
    def motion(t):
        waves = ((0.05, 1.3, 0.2), (0.03, 2.9, 1.0))
        return [sum(size * w ** order * np.sin(w * t + phase + order * np.pi / 2)
                    for size, w, phase in waves) for order in range(3)]
    t = np.arange(0.0, 12.0, STEP)
    _, v, a = motion(t - delay)
    (folder / 'slide.yaml').write_text(SLIDE)
    np.savetxt(folder / 'log.csv', np.column_stack([t, motion(t)[0], MASS * a + VISCOUS * v]),
               delimiter=',', header='t,x,f', comments='')
    (folder / 'columns.yaml').write_text(
        'mechanism: slide.yaml\ntime: {column: t}\nsensors: {ruler: x}\nknown_forces: {x: f}\n')
    import_log(folder / 'log.csv', folder / 'columns.yaml', folder / 'run/bag')
    mechanism = load_mechanism(str(folder / 'slide.yaml'))
    samples = read_samples(folder / 'run/bag', mechanism, ['x'], sensors_of(mechanism, ['ruler']),
                           torques='known_forces', knot_spacing=0.06,
                           torques_are=torques_are)
    found = fit(mechanism, FITTED, [FitRecording(samples)], settings=FitSettings(
        torque_deviation=0.1)).values
    return [found[name] for name in FITTED]


@pytest.mark.parametrize(('torques_are', 'delay'), [
    (None, 0.0), ('readings', 0.0),
    ('commands', -STEP / 2)])       # held from its stamp on: its mean belongs to the middle
def test_friction_is_not_biased_by_when_forces_count(tmp_path, torques_are, delay):
    mass, viscous = fitted(tmp_path, torques_are, delay)
    assert mass == pytest.approx(MASS, rel=2e-3)
    assert viscous == pytest.approx(VISCOUS, rel=2e-3)


def test_readings_that_are_taken_for_commands_look_like_friction(tmp_path):
    """By half a step of the mass: this is what the choice is for."""
    _, viscous = fitted(tmp_path, 'commands')
    assert viscous > VISCOUS + 1.0


def test_readings_count_at_their_stamps():
    """On straight lines between, exactly at any date; nowhere else are they known."""
    start = 1_700_000_000 * 10 ** 9
    stamps = start + np.array([0, 10 ** 7, 3 * 10 ** 7])
    read = ReadTorques(stamps, np.array([[0.0, 1.0], [2.0, 1.0], [0.0, 5.0]]))
    asked = start + np.array([-1, 0, 5 * 10 ** 6, 2 * 10 ** 7, 3 * 10 ** 7, 3 * 10 ** 7 + 1])
    assert read.known(asked).tolist() == [False, True, True, True, True, False]
    np.testing.assert_allclose(read.at(asked[1:5]), [[0, 1], [1, 1], [1, 3], [0, 5]], atol=1e-12)
