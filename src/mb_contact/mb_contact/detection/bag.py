"""States and torques of a bag, judged without a ROS process."""

from collections import Counter
from functools import partial

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


def judge_bag(detector, folder, skip=0.0, torque_sensors=()):
    """Return (stamps (k), {method: forces (k, g)}, contacts, share) of the states in a bag.

    skip: time left out at the beginning [s]; torque_sensors: names of those that read the drives,
    none: torques are the commanded ones; contacts: how many messages report a true contact of a
    simulated machine; share: states for each instant with torques.
    Raises OSError, ValueError.
    """
    with open_bag(folder, 'BodyContact', 'BodyContacts') as bag:
        source = torque_source(detector.mechanism, detector.drives, torque_sensors)
        states = bag.named(STATE, STATE_TYPE)
        messages = bag.of(bag.named(source.topic, source.type_name), source.take)
        torques = [found for _, together in messages for found in together]
        judged = list(_judged(detector, bag, states, torques, source.measured))
        share = bag.count(states) / max(1, len(torques))
        contacts = sum(len(message.contacts) > 0 for _, message in bag.of(CONTACTS))
    first = min((state.stamp for state, _ in judged), default=0)
    judged = [(state, contact) for state, contact in judged if state.stamp >= first + 1e9 * skip]
    if not judged:
        raise ContactError(f'{folder}: no state with torques in it')
    force = {method: np.full((len(judged), detector.mechanism.g), np.nan)
             for method in detector.methods}
    for row, (_, contact) in enumerate(judged):
        for estimated in contact.forces:
            force[estimated.method][row] = estimated.force
    for method, forces in force.items():
        if np.isnan(forces).all():
            (why, _), = Counter(contact.reason for _, contact in judged).most_common(1)
            raise ContactError(f'{folder}: {method}: no state gives a force: {why}')
    return np.array([state.stamp for state, _ in judged]), force, contacts, share


def _judged(detector, bag, states, torques, measured):
    """Yield (State, Contact) of a topic in the order of the bag, by [(stamp, torques)]."""
    stream, newest = ContactStream(detector, measured), 0
    torques = iter(torques)
    coming = next(torques, None)
    for _, state in bag.of(states, partial(state_of, detector.mechanism)):
        newest = max(newest, state.stamp)
        while coming is not None and coming[0] <= newest:
            yield from stream.add_torques(*coming)
            coming = next(torques, None)
        yield from stream.add_state(state)
