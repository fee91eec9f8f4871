"""Runs in rosbag2 bags: a MechanismState for every instant, and a text about the run.

The bags are written and read without a ROS process; the definitions of messages are those of the
installed mb_interfaces.
"""

from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
import numpy as np
from rosbags.interfaces import (
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag2 import Reader, ReaderError, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from mb_model.mechanism import load_mechanism
from mb_model.simulation.run import STATE, Run
from mb_model.simulation.text import read_run_text, run_text

TOPIC = '/model_simulation/state'
STATE_TYPE, TEXT_TYPE = 'mb_interfaces/msg/MechanismState', 'std_msgs/msg/String'
OIL_TYPE = 'mb_interfaces/msg/HydraulicState'
STORAGES = {'mcap': StoragePlugin.MCAP, 'sqlite3': StoragePlugin.SQLITE3}
FORMAT = 9             # of rosbag2 since Jazzy
SECOND = 1_000_000_000
_FOREVER = QosTime(9223372036, 854775807)


def write_bag(run, folder, storage='mcap'):
    """Write a Run into a new bag; stamps count from 0.  Raises OSError, ValueError."""
    if storage not in STORAGES:
        raise ValueError(f'storage: {storage}: unknown, expected one of {", ".join(STORAGES)}')
    if Path(folder).exists():
        raise FileExistsError(f'{folder}: already exists')
    types = message_types(*_oil().MESSAGES) if run.has_oil else message_types()
    text = run_text(run.mechanism, run.formulation, run.integrator, run.settings, run.dt,
                    run.error)
    with Writer(folder, version=FORMAT, storage_plugin=STORAGES[storage]) as writer:
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
            _oil().write_oil(run, writer, types, TOPIC)


def read_bag(folder, topic=None):
    """Return the Run of a bag, of `write_bag` or recorded from a node.

    topic: of which MechanismState, if there are several.  A bag without a text about the run names
    the mechanism in its states; it must then be one that comes with mb_model.
    Raises OSError, ValueError.
    """
    if not Path(folder).exists():
        raise FileNotFoundError(f'{folder}: no such bag or file')
    types = message_types()
    try:
        with Reader(folder) as reader:
            topic = _topic(reader, folder, topic)
            texts = messages_on(reader, types, text_topic(topic), TEXT_TYPE)
            states = messages_on(reader, types, topic, STATE_TYPE)
            oil = _read_oil(reader, topic)
    except (ReaderError, FileNotFoundError) as error:
        raise ValueError(f'{folder}: not a readable bag ({error})') from None
    if not states:
        raise ValueError(f'{folder}: no message on {topic}')
    stamps = np.array([stamp_of(state) for state in states])
    t = (stamps - stamps[0]) / SECOND
    if texts:
        how, dt = read_run_text(texts[0].data, f'{folder}: {text_topic(topic)}')
        t = dt * np.rint(t / dt) if dt > 0.0 else t        # stamps are rounded to nanoseconds
    else:
        how = {'mechanism': load_mechanism(states[0].mechanism)}
    arrays = {name: _stacked(states, name, folder) for name in STATE}
    forces = _stacked(states, 'generalized_force', folder)
    run = Run(t=t, forces=forces if forces.size else np.zeros_like(arrays['z']), **how, **arrays)
    return run if oil is None else _oil().with_oil(run, stamps, oil, folder)


def text_topic(topic):
    """Return the topic of the text about a run whose states come on `topic`."""
    return topic.rsplit('/', 1)[0] + '/description'


def message_types(*others):
    """Return the store of message types with MechanismState and others of mb_interfaces by name."""
    types = get_typestore(Stores.ROS2_JAZZY)
    try:
        share = Path(get_package_share_directory('mb_interfaces'))
    except PackageNotFoundError:
        raise ValueError('bags need the package mb_interfaces, which is not installed') from None
    for name in ('MechanismState', *others):
        definition = (share / 'msg' / f'{name}.msg').read_text(encoding='utf-8')
        types.register(get_types_from_msg(definition, f'mb_interfaces/msg/{name}'))
    return types


def state_message(types, mechanism, stamp, **arrays):
    """Return the MechanismState of a stamp [ns]; arrays that are left out are empty.

    types: message_types().
    """
    known, (sec, nanosec) = types.types, divmod(stamp, SECOND)
    header = known['std_msgs/msg/Header'](
        known['builtin_interfaces/msg/Time'](sec, nanosec), mechanism.name)
    empty = {name: np.empty(0) for name in (*STATE, 'covariance', 'generalized_force')}
    return known[STATE_TYPE](
        header=header, mechanism=mechanism.name, independent=list(mechanism.independent),
        coordinates=list(mechanism.coordinates), **empty | arrays)


def stamp_of(message):
    """Return the stamp of a message [ns]."""
    return message.header.stamp.sec * SECOND + message.header.stamp.nanosec


def _oil():
    """Return the module for the oil of a run, which most runs have none of."""
    from mb_model.hydraulics import bag
    return bag


def _read_oil(reader, topic):
    """Return what read_oil finds, None without a state of oil."""
    if not any(connection.msgtype == OIL_TYPE for connection in reader.connections):
        return None
    found = _oil().read_oil(reader, message_types(*_oil().MESSAGES), topic)
    return found if found[0] else None


def reliable(depth):
    """Return the QoS of topics that lose nothing, late readers served."""
    return Qos(QosHistory.KEEP_LAST, depth, QosReliability.RELIABLE, QosDurability.TRANSIENT_LOCAL,
               _FOREVER, _FOREVER, QosLiveliness.AUTOMATIC, _FOREVER, False)


def _topic(reader, folder, asked):
    """Return the topic of the states: the one asked for, or the only one."""
    found = [connection.topic for connection in reader.connections
             if connection.msgtype == STATE_TYPE]
    if asked is None and len(found) == 1:
        return found[0]
    if asked not in found:
        raise ValueError(f'{folder}: topic {asked or ""}: expected one of '
                         f'{", ".join(found) or "none: no MechanismState in it"}')
    return asked


def messages_on(reader, types, topic, kind):
    """Return all messages of a topic and kind in an open bag; types: message_types()."""
    connections = [connection for connection in reader.connections
                   if connection.topic == topic and connection.msgtype == kind]
    return [types.deserialize_cdr(data, kind)
            for _, _, data in reader.messages(connections)] if connections else []


def _stacked(states, name, folder):
    """Return one array of all states (k, size)."""
    rows = [getattr(state, name) for state in states]
    if len({len(row) for row in rows}) > 1:
        raise ValueError(f'{folder}: {name}: not of the same length in all states')
    return np.array(rows)
