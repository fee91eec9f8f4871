"""Bags of a four-bar linkage with a crank encoder, as tests want them."""

import numpy as np
from rclpy.serialization import serialize_message
import rosbag2_py

from mb_estimators import Experiment
from mb_ros.states import joint_state, mechanism_state

SEED = 3
READING, STATE = 'sensor_msgs/msg/JointState', 'mb_interfaces/msg/MechanismState'


def experiment(duration):
    """Return the Experiment that bags are made of, with a wrong model [s]."""
    return Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0, 'z0': np.pi / 16}, duration,
                      0.005)


def write_bag(made_of, folder, encoder='/crank_encoder', states=(),
              new_writer=rosbag2_py.SequentialWriter, received=()):
    """Write readings of SEED on the topic `encoder`, the truth on the topics `states`.

    received: topics of every other reading.
    """
    writer = new_writer()
    writer.open(rosbag2_py.StorageOptions(uri=str(folder), storage_id='mcap'),
                rosbag2_py.ConverterOptions('cdr', 'cdr'))
    topics = {**dict.fromkeys((encoder, *received), READING), **dict.fromkeys(states, STATE)}
    for number, (name, kind) in enumerate(topics.items()):
        writer.create_topic(rosbag2_py.TopicMetadata(
            id=number, name=name, type=kind, serialization_format='cdr'))
    truth, readings = made_of.truth, made_of.readings(SEED)[:, 0]
    for k, stamp in enumerate(made_of.stamps):
        for name in (encoder, *(received if k % 2 else ())):
            writer.write(name, serialize_message(
                joint_state(stamp, ['crank_encoder'], [readings[k]])), stamp)
        for name in states:
            writer.write(name, serialize_message(mechanism_state(
                made_of.prototype, stamp, z=truth.z[k], zd=truth.zd[k], zdd=truth.zdd[k])), stamp)
    del writer      # the bag is complete then; not every writer has a close()
