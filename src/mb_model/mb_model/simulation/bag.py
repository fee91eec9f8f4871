"""Runs in rosbag2 bags: a MechanismState for every instant, and a text about the run.

The bags are written and read without a ROS process.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mb_model.bags import (
    STATE_TYPE,
    message_types,
    new_bag,
    open_reader,
    reliable,
    stamp_of,
)
from mb_model.bags.messages import SECOND
from mb_model.mechanism import load_mechanism
from mb_model.simulation.arrays import STATE
from mb_model.simulation.oil_bag import MESSAGES, OIL_TYPE, oil_of_run, read_oil, write_oil
from mb_model.simulation.text import read_run_text, run_text

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism

TOPIC = '/model_simulation/state'
TEXT_TYPE = 'std_msgs/msg/String'


def write_bag(run: Any, folder: str | Path, storage: str = 'mcap') -> None:
    """Write a Run into a new bag; stamps count from 0.  Raises OSError, ValueError."""
    types = message_types(*MESSAGES) if run.has_oil else message_types()
    text = run_text(run.mechanism, run.formulation, run.integrator, run.settings, run.dt,
                    run.error)
    with new_bag(folder, storage) as writer:
        texts = writer.add_connection(text_topic(TOPIC), TEXT_TYPE, typestore=types,
                                      offered_qos_profiles=[reliable(1)])
        states = writer.add_connection(TOPIC, STATE_TYPE, typestore=types,
                                       offered_qos_profiles=[reliable(1000)])
        message = types.types[TEXT_TYPE](data=text)
        writer.write(texts, 0, types.serialize_cdr(message, TEXT_TYPE))
        for k, t in enumerate(run.t):
            stamp = round(t * SECOND)
            message = state_message(
                types, run.mechanism, stamp, generalized_force=run.forces[k],
                **{name: getattr(run, name)[k] for name in STATE})
            writer.write(states, stamp, types.serialize_cdr(message, STATE_TYPE))
        if run.has_oil:
            write_oil(run, writer, types, TOPIC)


def read_bag(folder: str | Path, topic: str | None = None) -> dict[str, Any]:
    """Return what the Run of a bag is made of, by name; of `write_bag` or recorded from a node.

    topic: of which MechanismState, if there are several.  A bag without a text about the run names
    the mechanism in its states; it must then be one that comes with mb_model.
    Raises OSError, ValueError.
    """
    with open_reader(folder, *MESSAGES) as bag:
        topic = _topic(bag, folder, topic)
        texts = [] if bag.kinds.get(text_topic(topic)) != TEXT_TYPE else [
            message for _, _, message in bag.messages([text_topic(topic)])]
        states = [state for _, state in bag.alike(topic, _form)]
        oil = _read_oil(bag, topic)
    if not states:
        raise ValueError(f'{folder}: no message on {topic}')
    stamps = np.array([stamp_of(state) for state in states])
    t = (stamps - stamps[0]) / SECOND
    if texts:
        how, dt = read_run_text(texts[0].data, f'{folder}: {text_topic(topic)}')
        t = dt * np.rint(t / dt) if dt > 0.0 else t        # stamps are rounded to nanoseconds
    else:
        how = {'mechanism': load_mechanism(states[0].mechanism)}
    arrays = {name: np.array([getattr(state, name) for state in states]) for name in STATE}
    forces = np.array([state.generalized_force for state in states])
    run = {'t': t, 'forces': forces if forces.size else np.zeros_like(arrays['z'])} | how | arrays
    return run if oil is None else oil_of_run(run, stamps, oil, folder)


def text_topic(topic: str) -> str:
    """Return the topic of the text about a run whose states come on `topic`."""
    return topic.rsplit('/', 1)[0] + '/description'


def state_message(types: Any, mechanism: 'Mechanism', stamp: int, **arrays: Any) -> Any:
    """Return the MechanismState of a stamp [ns]; arrays that are left out are empty.

    types: message_types().
    """
    known, (sec, nanosec) = types.types, divmod(stamp, SECOND)
    header = known['std_msgs/msg/Header'](
        known['builtin_interfaces/msg/Time'](sec, nanosec), mechanism.name)
    empty = {name: np.empty(0) for name in (
        *STATE, 'covariance', 'generalized_force', 'generalized_force_deviation')}
    return known[STATE_TYPE](
        header=header, mechanism=mechanism.name, independent=list(mechanism.independent),
        coordinates=list(mechanism.coordinates), **empty | arrays)


def _read_oil(bag, topic):
    """Return what read_oil finds, None without a state of oil."""
    if OIL_TYPE not in bag.kinds.values():
        return None
    found = read_oil(bag, topic)
    return found if found[0] else None


def _topic(bag, folder, asked):
    """Return the topic of the states: the one asked for, or the only one."""
    found = [topic for topic, kind in bag.kinds.items() if kind == STATE_TYPE]
    if asked is None and len(found) == 1:
        return found[0]
    if asked not in found:
        raise ValueError(f'{folder}: topic {asked or ""}: expected one of '
                         f'{", ".join(found) or "none: no MechanismState in it"}')
    return asked


def _form(state):
    """Return what all states of a run have in common."""
    return state.mechanism, *(len(getattr(state, name)) for name in (*STATE, 'generalized_force'))
