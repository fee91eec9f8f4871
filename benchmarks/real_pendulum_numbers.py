"""Numbers of the real double pendulum by `fit`, from recordings with known pulses.

It begins at the published numbers; centres of gravity are held.  The unit of torque is that of the
shoulder's motor.
"""

import numpy as np

from benchmarks.cases import shipped
from benchmarks.real_pendulum_run import NAME
from mb_estimators import (
    DynamicsSamples,
    EncoderReadings,
    FitRecording,
    FitSettings,
    ReadTorques,
    fit,
)
from mb_model import load_mechanism
from mb_sensors import NANOSECONDS, EncoderMotion, sensors_of

PUBLISHED = {'upper_mass': 0.5234602302310271, 'lower_mass': 0.6255677234174437,
             'upper_inertia': 0.031887199591513114, 'lower_inertia': 0.05086984812807257,
             'rotor_inertia': 1e-4, 'shoulder_coulomb': 0.1, 'elbow_coulomb': 0.1,
             'shoulder_viscous': 0.01, 'elbow_viscous': 0.01}       # friction: a guess
FREE = [*(f'bodies.{body}.{what}' for body in ('upper', 'lower') for what in ('mass', 'inertia')),
        'rotor_inertia', *(f'{joint}_{kind}' for joint in ('shoulder', 'elbow')
                           for kind in ('coulomb', 'viscous')),
        'known_forces.elbow.gain', 'transmissions', 'zeros']
KNOTS = 0.05            # s, as knot_spacing=0 chooses by all recordings
SETTINGS = FitSettings(averaging_time=0.1, outliers=2.4, knot_spacing=KNOTS, held_out=0.0)
LOSSES = {'force_gains': 'gain', 'force_asymmetries': 'asymmetry', 'force_growths': 'growth',
          'force_losses': 'loss', 'gear_lashes': 'lash'}        # settings of pulse_ekf


def identified(runs):
    """Return the mechanism and the settings of pulse_ekf by recordings."""
    published = load_mechanism(NAME).replace(parameters=PUBLISHED)
    found = fit(published, FREE, [FitRecording(_samples(run, published)) for run in runs],
                settings=SETTINGS)
    values = {'known_forces.shoulder.gain': 1.0} | found.values
    return found.mechanism, {setting: tuple(
        values[f'known_forces.{joint}.{kind}'] for joint in ('shoulder', 'elbow'))
        for setting, kind in LOSSES.items()}


def _samples(run, mechanism):
    """Return the DynamicsSamples of a recording, pulses among the torques."""
    sensors = sensors_of(mechanism, shipped(NAME)['sensors'])
    stamps = np.round(run['time'] * NANOSECONDS).astype(np.int64)
    source = EncoderMotion(mechanism, sensors, stamps, run.both('pos_meas'), KNOTS)
    torques = ReadTorques(stamps, run.both('tau_meas')).at(stamps)
    chosen = np.flatnonzero(np.isin(stamps, source.motion.stamps))
    return DynamicsSamples(source.motion, torques[chosen], encoders=EncoderReadings(
        source, tuple(one.name for one in sensors), torques, np.arange(len(chosen))))
