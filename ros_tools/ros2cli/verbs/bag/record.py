"""Record ROS data to a bag."""
from datetime import datetime
import os
import signal

from rosbag2_py.compression import FORMATS
from rosbag2_py.options import DEFAULT_CACHE_SIZE
from rosbag2_py.storages import DEFAULT_STORAGE, STORAGES

from ros2cli.values import BYTES
from ros2cli.verbs.bag.arguments import bag_error, read_qos_overrides


def add_arguments(parser):
    parser.add_argument('topics_positional', nargs='*', metavar='topic', help='Topics to record.')
    parser.add_argument('-a', '--all', '--all-topics', action='store_true',
                        help='Record all topics.')
    parser.add_argument('--topics', nargs='+', default=[], metavar='topic',
                        help='Space-delimited list of topics to record.')
    parser.add_argument('-o', '--output', help='Destination of the bag file to create, defaults '
                        'to a timestamped folder in the current directory.')
    parser.add_argument('-s', '--storage', choices=STORAGES, default=DEFAULT_STORAGE,
                        help=f"Storage identifier to be used, defaults to '{DEFAULT_STORAGE}'.")
    parser.add_argument(
        '--max-cache-size', type=BYTES, default=DEFAULT_CACHE_SIZE,
        help='Maximum size (in bytes) of messages to hold in cache before writing to disk. '
        f'Default: {DEFAULT_CACHE_SIZE}')
    presets = {name: storage.PRESETS for name, storage in STORAGES.items()}
    parser.add_argument(
        '--storage-preset-profile', default='none',
        choices=sorted({name for known in presets.values() for name in known}),
        help='Select a preset of the storage: ' + ', '.join(
            f'{" ".join(known)} of {name}' for name, known in presets.items()))
    parser.add_argument(
        '--compression-mode', choices=['none', 'file', 'message'], default='none',
        help='Determine whether to compress by file or message. Default is "none".')
    parser.add_argument('--compression-format', choices=FORMATS, default='',
                        help='Specify the compression format/algorithm. Default is none.')
    parser.add_argument(
        '--qos-profile-overrides-path',
        help='Path to a yaml file defining overrides of the QoS profile for specific topics.')
    parser.add_argument('--disable-keyboard-controls', action='store_true',
                        help='Has no effect here: there are none')


def main(args):
    topics = args.topics_positional + args.topics
    if not (args.all or topics):
        return bag_error('Need to specify at least one option out of --all, --all-topics, --topics')
    output = args.output or datetime.now().strftime('rosbag2_%Y_%m_%d-%H_%M_%S')
    if os.path.exists(output):
        return bag_error(f"Output folder '{output}' already exists.")
    if args.compression_format and args.compression_mode == 'none':
        return bag_error('Invalid choice: Cannot specify compression format without a compression '
                         'mode.')
    overrides = read_qos_overrides(args.qos_profile_overrides_path)
    from rosbag2_py import Recorder, RecordOptions, StorageOptions
    storage = StorageOptions(
        uri=output, storage_id=args.storage, max_cache_size=args.max_cache_size,
        storage_preset_profile=args.storage_preset_profile)
    options = RecordOptions(
        all_topics=args.all, topics=topics, topic_qos_profile_overrides=overrides,
        compression_mode=args.compression_mode, compression_format=args.compression_format)
    # Once the bag is closed: both a terminal and a launch may end it, the second one late.
    return None if Recorder(afterwards=signal.SIG_IGN).record(storage, options) else 1
