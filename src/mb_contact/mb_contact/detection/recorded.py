"""States and torques out of a bag, of an estimator or of the sensors alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from typing import Any, NamedTuple

from mb_contact.arguments import ContactError
from mb_contact.detection.encoder_motion import EncoderMotion
from mb_contact.detection.messages import CONTACTS, STATE, STATE_TYPE, state_of
from mb_contact.detection.state import State
from mb_contact.detection.torques import PUBLISHED, torque_source
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import motion_of_encoders, open_bag, sensors_of


@dataclass(frozen=True)
class Source:
    """Where motion and torques of a bag come from.

    states: topic of MechanismStates; sensors: encoders that give the motion instead, by a
    spline with knots every knot_spacing [s]; encoders: by which pose and velocity are, and
    accelerations alone by the states.  torques: topic of efforts; torque_sensors: that read the
    drives instead; torques_are: see torque_source.
    """

    states: str = STATE
    sensors: Sequence[str] = ()
    knot_spacing: float = 0.02
    encoders: Sequence[str] = ()
    torques: str = PUBLISHED
    torque_sensors: Sequence[str] = ()
    torques_are: str = ''


class Recorded(NamedTuple):
    """States and torques of a bag.

    states: State, in the order of the bag; torques: (stamp, torques) likewise; inputs: HeldInputs
    or ReadInputs, how they act; contacts: how many messages report a true contact of a simulated
    machine; share: states for each instant with torques; angles: (stamp, readings) of the encoders
    by which pose and velocity are, if any; encoders: their EncoderMotion.
    """

    folder: str
    states: list
    torques: list
    inputs: type
    contacts: int
    share: float
    angles: Sequence[tuple[int, FloatArray]] = ()
    encoders: EncoderMotion | None = None


def read_bag(mechanism: Mechanism, drives: Sequence[str], folder: str,
             source: Source | None = None) -> Recorded:
    """Return the Recorded states of a bag by their Source; raises OSError, ValueError."""
    source = source or Source()
    if source.sensors and source.encoders:
        raise ContactError('encoders: not with sensors, which give accelerations, too')
    with open_bag(folder, 'BodyContact', 'BodyContacts') as bag:
        published = torque_source(mechanism, drives, source.torque_sensors,
                                  torques_are=source.torques_are, topic=source.torques)
        motion = EncoderMotion(mechanism, source.encoders) if source.encoders else None
        torques, angles = (
            [one for _, together in bag.of(bag.named(taker.topic, taker.type_name), taker.take)
             for one in together] if taker else [] for taker in (published, motion))
        if not torques:
            raise ContactError(f'{folder}: {published.topic}: no torques of {", ".join(drives)}')
        share = 1.0
        if source.sensors:
            states = list(_splined(mechanism, bag, source))
        else:
            topic = bag.named(source.states, STATE_TYPE)
            states = [state for _, state in bag.of(topic, partial(state_of, mechanism))]
            share = bag.count(topic) / len(torques)
        return Recorded(folder, states, torques, published.inputs,
                        sum(len(message.contacts) > 0 for _, message in bag.of(CONTACTS)),
                        share, angles, motion)


def _splined(mechanism: Mechanism, bag: Any, source: Source) -> Iterator[State]:
    """Yield the States of a spline through readings of encoders."""
    encoders = sensors_of(mechanism, source.sensors)
    motion = motion_of_encoders(mechanism, encoders, *bag.readings(encoders), source.knot_spacing)
    yield from starmap(State, zip(motion.stamps.tolist(), motion.z, motion.zd, motion.zdd,
                                  motion.covariance, strict=True))
