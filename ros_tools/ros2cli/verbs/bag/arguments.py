"""Arguments that several verbs of `ros2 bag` have."""
import argparse
import os

from rosbag2_py.qos import qos_from_dict
from rosbag2_py.storages import STORAGES


def existing_bag(text):
    """Type of an argument: the path of a bag."""
    if not os.path.exists(text):
        raise argparse.ArgumentTypeError(f"Bag path '{text}' does not exist!")
    return text


def add_bag_arguments(parser):
    """Add the path of a bag and its storage."""
    parser.add_argument('bag_path', type=existing_bag, help='Bag to open')
    parser.add_argument(
        '-s',
        '--storage',
        choices=STORAGES,
        help='Storage implementation of bag. By default attempts to detect automatically '
        '- use this argument to override.',
    )


def bag_error(text):
    """The text of an error as `ros2 bag` prints it."""
    return f'[ERROR] [ros2bag]: {text}'


def read_qos_overrides(path):
    """{topic: QoSProfile} of a YAML file of QoS profiles by topic.  Raises RuntimeError."""
    import yaml
    if not path:
        return {}
    try:
        with open(path, encoding='utf-8') as handle:
            entries = yaml.safe_load(handle) or {}
    except (OSError, yaml.YAMLError) as error:
        raise RuntimeError(bag_error(f'{path}: {error}')) from None
    profiles = {}
    for topic, entry in entries.items():
        try:
            profiles[topic] = qos_from_dict(entry)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RuntimeError(bag_error(f'{path}: {topic}: {error}')) from None
    return profiles
