"""The Recording in a rosbag2 bag, read without a ROS process."""

from functools import partial

import numpy as np

from mb_estimators.recording.commands import COMMAND_TYPE, TOPIC, valve_commands
from mb_estimators.recording.recording import Recording
from mb_estimators.recording.result import Track
from mb_estimators.timeline import HeldInputs
from mb_model.bags import STATE_TYPE
from mb_sensors import open_bag

TRUTH = '/prototype/state'


def read_recording(folder, sensors, truth=None, valves=()):
    """Return the Recording of sensors (Sensor objects) in a bag, see mb_sensors' Bag.readings.

    truth: topic of the MechanismStates that hold the true motion; None: /prototype/state, if the
    bag has it.  valves: whose commands are the inputs, from the topic valve_command; commands that
    cannot be are left out.  Raises OSError, ValueError.
    """
    with open_bag(folder, 'ValveCommand') as bag:
        stamps, readings = bag.readings(sensors)
        states = _states(bag, truth)
        inputs = _inputs(bag, valves) if valves else None
    return Recording(stamps, readings, _track(stamps, states) if states else None, inputs)


def _inputs(bag, valves):
    """Return the HeldInputs of the commands of valves; as they are at rest where there are none."""
    inputs = HeldInputs()
    topic = bag.named(TOPIC, COMMAND_TYPE)
    for stamp, values in bag.of(topic, partial(valve_commands, valves)):
        inputs.add(stamp, values)
    return inputs


def _states(bag, topic):
    """Return the true states by stamp; none if none are asked for and none are there."""
    if topic is None and not bag.has(TRUTH):
        return {}
    return dict(bag.alike(bag.named(topic or TRUTH, STATE_TYPE), _form))


def _form(state):
    """Return what all states have in common."""
    return len(state.z), len(state.zd), len(state.zdd)


def _track(stamps, states):
    """Return the true motion at the stamps, NaN where no state has exactly that stamp."""
    g = len(next(iter(states.values())).z)
    track = Track(*(np.full((len(stamps), g), np.nan) for _ in range(3)))
    for k, stamp in enumerate(stamps):
        if stamp in states:
            for name in ('z', 'zd', 'zdd'):
                getattr(track, name)[k] = getattr(states[stamp], name)
    return track
