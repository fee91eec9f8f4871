"""States and torques of a bag, judged without a ROS process."""

from collections import Counter
from functools import partial
from typing import NamedTuple

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.detection.messages import (
    CONTACTS,
    STATE,
    STATE_TYPE,
    state_of,
)
from mb_contact.detection.stream import ContactStream
from mb_contact.detection.torques import torque_source
from mb_sensors import open_bag


class Recorded(NamedTuple):
    """States and torques of a bag.

    states: State, in the order of the bag; torques: (stamp, torques) likewise; inputs: HeldInputs
    or ReadInputs, how they act; contacts: how many messages report a true contact of a simulated
    machine; share: states for each instant with torques.
    """

    folder: str
    states: list
    torques: list
    inputs: type
    contacts: int
    share: float


class Judged(NamedTuple):
    """Forces at states of a bag: stamps (k) [ns], of every method force and deviation (k, g).

    force: NaN where a state gives none; deviation: by the covariance of the force, 0 without.
    """

    stamps: np.ndarray
    force: dict[str, np.ndarray]
    deviation: dict[str, np.ndarray]


def read_bag(mechanism, drives, folder, torque_sensors=(), torques_are=''):
    """Return the Recorded states of a bag.

    torque_sensors: names of those that read the drives, none: torques are the published ones;
    torques_are: see torque_source.
    Raises OSError, ValueError.
    """
    with open_bag(folder, 'BodyContact', 'BodyContacts') as bag:
        source = torque_source(mechanism, drives, torque_sensors, torques_are=torques_are)
        topic = bag.named(STATE, STATE_TYPE)
        messages = bag.of(bag.named(source.topic, source.type_name), source.take)
        torques = [found for _, together in messages for found in together]
        states = [state for _, state in bag.of(topic, partial(state_of, mechanism))]
        return Recorded(folder, states, torques, source.inputs,
                        sum(len(message.contacts) > 0 for _, message in bag.of(CONTACTS)),
                        bag.count(topic) / max(1, len(torques)))


def judge(detector, recorded):
    """Return the Judged states of a Recorded bag.

    Raises ContactError for a method without forces.
    """
    judged = list(_judged(detector, recorded))
    if not judged:
        raise ContactError(f'{recorded.folder}: no state with torques in it')
    force, deviation = ({method: np.full((len(judged), detector.mechanism.g), empty)
                         for method in detector.methods} for empty in (np.nan, 0.0))
    for row, (_, contact) in enumerate(judged):
        for estimated in contact.forces:
            force[estimated.method][row] = estimated.force
            if len(estimated.covariance):
                deviation[estimated.method][row] = np.sqrt(np.diag(estimated.covariance))
    for method, forces in force.items():
        if np.isnan(forces).all():
            (why, _), = Counter(contact.reason for _, contact in judged).most_common(1)
            raise ContactError(f'{recorded.folder}: {method}: no state gives a force: {why}')
    return Judged(np.array([state.stamp for state, _ in judged]), force, deviation)


def _judged(detector, recorded):
    """Yield (State, Contact) in the order of the bag."""
    stream, newest = ContactStream(detector, recorded.inputs), 0
    torques = iter(recorded.torques)
    coming = next(torques, None)
    for state in recorded.states:
        newest = max(newest, state.stamp)
        while coming is not None and coming[0] <= newest:
            yield from stream.add_torques(*coming)
            coming = next(torques, None)
        yield from stream.add_state(state)
