"""Samples of a motion and the forces of drives, out of a bag."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.reading_part import EncoderReadings
from mb_estimators.fitting.samples import SPLINED, DynamicsSamples, HeldTorques, ReadTorques
from mb_estimators.timeline import COMMANDS, READINGS, HeldInputs, inputs_class
from mb_model import Mechanism
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import NANOSECONDS, EncoderMotion, Sensor, open_bag, read_motion

TORQUES = 'drive_torques'           # what a controller commands
_KIND = 'sensor_msgs/msg/JointState'


def add_torques_arguments(parser: ArgumentParser) -> None:
    """Add options: where the forces of drives come from."""
    parser.add_argument('--torques', default=TORQUES, metavar='TOPIC',
                        help='of the efforts of the drives (%(default)s)')
    add_torques_are(parser)


def add_torques_are(parser: ArgumentParser) -> None:
    """Add the option: what torques are."""
    parser.add_argument('--torques-are', choices=(COMMANDS, READINGS),
                        help=f'{COMMANDS}: held from their stamps on; {READINGS}: measured at '
                             f'their stamps (default: {COMMANDS} on {TORQUES}, else {READINGS})')


def read_samples(folder: str | Path, mechanism: Mechanism, drives: Sequence[str],
                 encoders: Sequence[Sensor] = (), states: str | None = None,
                 torques: str = TORQUES, knot_spacing: float = 0.02,
                 torques_are: str | None = None, settling_time: float = 0.0) -> DynamicsSamples:
    """Return the DynamicsSamples of a bag.

    The motion comes from MechanismStates on the topic `states`, or, without one, from encoders
    (Sensors) through a spline with knots every knot_spacing [s].  torques: topic of efforts of
    drives (names of coordinates).  torques_are: 'commands', each held from its stamp on, or
    'readings', each measured at its stamp; None: commands on a topic `drive_torques`, readings on
    others.  settling_time [s]: left out at the start of states.  Raises OSError, ValueError.
    """
    commanded = inputs_class(torques, torques_are or '') is HeldInputs
    with open_bag(folder) as bag:
        forces = (HeldTorques if commanded else ReadTorques)(
            *_torques(bag, folder, drives, torques))
        if states is not None:
            motion = read_motion(bag, mechanism, states)
            settled = motion.stamps >= motion.stamps[0] + round(settling_time * NANOSECONDS)
            motion = motion[settled]
        else:
            source = EncoderMotion(mechanism, encoders, *bag.readings(encoders), knot_spacing)
            motion = source.motion
    known = forces.known(motion.stamps)
    motion = motion[known]
    if not len(motion):
        raise FitError(f'{folder}: no motion while forces on {torques} are known')
    # A state has the commands of the drives until then, a spline has no sides.
    at = (forces.at if isinstance(forces, ReadTorques)
          else forces.before if states is not None else forces.around)
    if states is not None:
        return DynamicsSamples(motion, at(motion.stamps))
    return DynamicsSamples(
        motion, at(motion.stamps), SPLINED * knot_spacing, encoders=EncoderReadings(
            source, tuple(one.name for one in encoders for _ in one.channels),
            at(forces.within(source.stamps)), np.flatnonzero(known)))


def has_topic(folder: str | Path, name: str = TORQUES) -> bool:
    """Return whether a bag has a topic that ends in a name.  Raises OSError, BagError."""
    with open_bag(folder) as bag:
        return any(f'/{topic}'.endswith(f'/{name.lstrip("/")}') for topic in bag.topics)


def _torques(bag: Any, folder: str | Path, drives: Sequence[str],
             topic: str) -> tuple[IntArray, FloatArray]:
    """Return stamps (k) [ns] and efforts (k, d) of drives."""
    def efforts_of(message: Any) -> list[float]:
        efforts = dict(zip(message.name, message.effort, strict=False))
        missing = [name for name in drives if name not in efforts]
        if missing:
            raise FitError(f'{folder}: {topic}: no effort of {", ".join(missing)}, but of '
                               f'{", ".join(efforts) or "nothing"}')
        return [efforts[name] for name in drives]

    by_stamp = dict(bag.of(bag.named(topic, _KIND), efforts_of))
    if not by_stamp:
        raise FitError(f'{folder}: {topic}: no message')
    stamps = sorted(by_stamp)
    return np.array(stamps), np.array([by_stamp[stamp] for stamp in stamps])
