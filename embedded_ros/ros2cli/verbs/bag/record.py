"""Record ROS data to a bag."""
import argparse
from datetime import datetime, timedelta
import os
import signal

from rosbag2_py import get_registered_compressors, mcap_options, sqlite_file
from rosbag2_py.options import DEFAULT_CACHE_SIZE
from rosbag2_py.writer import DEFAULT_STORAGE, STORAGES

from ros2cli.values import unsigned_int
from ros2cli.verbs.bag.arguments import bag_error, read_qos_overrides

POLLING_INTERVAL = 100      # [ms]


def existing_file(text):
    """Type of an argument: the path of a file."""
    if not os.path.isfile(text):
        raise argparse.ArgumentTypeError(f"can't open '{text}': No such file")
    return text


def key_and_value(text):
    """Type of an argument: 'key=value'."""
    key, sign, value = text.partition('=')
    if not key or not sign:
        raise argparse.ArgumentTypeError(f"'{text}' must have the form key=value")
    return key, value


def add_arguments(parser):
    add_output_arguments(parser)
    add_compression_arguments(parser)
    add_topic_arguments(parser)
    add_discovery_arguments(parser)
    parser.add_argument(
        '--start-paused', action='store_true', help='Start the recorder in a paused state.'
    )
    parser.add_argument(
        '--use-sim-time',
        action='store_true',
        help='Use simulation time for message timestamps by subscribing to the /clock topic.',
    )
    parser.add_argument(
        '--node-name', default='rosbag2_recorder', help='Specify the recorder node name.'
    )
    parser.add_argument('--disable-keyboard-controls', action='store_true',
                        help='disables keyboard controls for recorder')


def add_output_arguments(parser):
    parser.add_argument(
        '-o',
        '--output',
        help='Destination of the bag file to create, defaults to a '
        'timestamped folder in the current directory.',
    )
    parser.add_argument('-s', '--storage', choices=STORAGES, default=DEFAULT_STORAGE,
                        help=f"Storage identifier to be used, defaults to '{DEFAULT_STORAGE}'.")
    parser.add_argument('-b', '--max-bag-size', type=unsigned_int, default=0,
                        help='Maximum size in bytes before the bagfile will be split. Default: 0, '
                        'recording written in single bagfile and splitting is disabled.')
    parser.add_argument(
        '-d',
        '--max-bag-duration',
        type=unsigned_int,
        default=0,
        help='Maximum duration in seconds before the bagfile will be split. Default: 0, '
        'recording written in single bagfile and splitting is disabled.',
    )
    parser.add_argument(
        '--max-cache-size',
        type=unsigned_int,
        default=DEFAULT_CACHE_SIZE,
        help='Maximum size (in bytes) of messages to hold in cache before writing to disk. '
        f'Default: {DEFAULT_CACHE_SIZE}',
    )
    parser.add_argument(
        '--custom-data',
        nargs='*',
        type=key_and_value,
        default=[],
        metavar='KEY=VALUE',
        help='Store the custom data in metadata.yaml as a dictionary.',
    )
    parser.add_argument(
        '--storage-preset-profile',
        default='none',
        choices=sorted({*mcap_options.PRESETS, *sqlite_file.PRESETS}),
        help=f"Select a preset of the storage: {', '.join(mcap_options.PRESETS)} of mcap, "
        f"{', '.join(sqlite_file.PRESETS)} of sqlite3.",
    )
    parser.add_argument(
        '--storage-config-file',
        type=existing_file,
        help='Path to a YAML file with options of the mcap writer.',
    )


def add_compression_arguments(parser):
    parser.add_argument(
        '--compression-mode',
        choices=['none', 'file', 'message'],
        default='none',
        help='Determine whether to compress by file or message. Default is "none".',
    )
    parser.add_argument(
        '--compression-format',
        choices=get_registered_compressors(),
        default='',
        help='Specify the compression format/algorithm. Default is none.',
    )
    for option, default in (('queue-size', 1), ('threads', 0), ('threads-priority', 0)):
        parser.add_argument(
            f'--compression-{option}', type=int, default=default,
            help='Has no effect here: messages are compressed as they are written, and none is '
            'dropped.')


def add_topic_arguments(parser):
    parser.add_argument('topics_positional', nargs='*', metavar='topic', help='Topics to record.')
    parser.add_argument('-a', '--all', action='store_true', help='Record all topics.')
    parser.add_argument('--all-topics', action='store_true', help='Record all topics.')
    parser.add_argument('--topics', nargs='+', default=[], metavar='topic',
                        help='Space-delimited list of topics to record.')
    parser.add_argument('--topic-types', nargs='+', default=[], metavar='type',
                        help='Space-delimited list of topic types to record.')
    parser.add_argument(
        '-e',
        '--regex',
        default='',
        help='Record only topics containing provided regular expression.',
    )
    parser.add_argument(
        '-x',
        '--exclude-regex',
        default='',
        help='Exclude topics containing provided regular expression.',
    )
    parser.add_argument('--exclude-topics', nargs='+', default=[], metavar='topic',
                        help='Space-delimited list of topics not being recorded.')
    parser.add_argument('--exclude-topic-types', nargs='+', default=[], metavar='type',
                        help='Space-delimited list of topic types not being recorded.')


def add_discovery_arguments(parser):
    parser.add_argument('--include-unpublished-topics', action='store_true',
                        help='Discover and record topics which have no publisher.')
    parser.add_argument(
        '--include-hidden-topics', action='store_true', help='Discover and record hidden topics.'
    )
    parser.add_argument(
        '--no-discovery',
        action='store_true',
        help='Disables topic auto discovery during recording: only topics present at '
        'startup will be recorded.',
    )
    parser.add_argument('-p', '--polling-interval', type=unsigned_int, default=POLLING_INTERVAL,
                        help='Time in ms to wait between querying available topics for recording. '
                        f'Default: {POLLING_INTERVAL}')
    parser.add_argument(
        '--ignore-leaf-topics', action='store_true', help='Ignore topics without a subscription.'
    )
    parser.add_argument(
        '--qos-profile-overrides-path',
        help='Path to a yaml file defining overrides of the QoS profile for specific topics.',
    )


def main(args):
    topics = args.topics_positional + args.topics
    if not (args.all or args.all_topics or topics or args.topic_types or args.regex):
        return bag_error(
            'Need to specify at least one option out of --all, --all-topics, --topics, '
            '--topic-types or --regex'
        )
    output = args.output or datetime.now().strftime('rosbag2_%Y_%m_%d-%H_%M_%S')
    if os.path.exists(output):
        return bag_error(f"Output folder '{output}' already exists.")
    if args.compression_format and args.compression_mode == 'none':
        return bag_error('Invalid choice: Cannot specify compression format without a compression '
                         'mode.')
    overrides = read_qos_overrides(args.qos_profile_overrides_path)
    from rosbag2_py import Recorder, RecordOptions, StorageOptions
    storage = StorageOptions(
        uri=output, storage_id=args.storage, max_bagfile_size=args.max_bag_size,
        max_bagfile_duration=args.max_bag_duration, max_cache_size=args.max_cache_size,
        custom_data=dict(args.custom_data), storage_preset_profile=args.storage_preset_profile,
        storage_config_uri=args.storage_config_file or '')
    options = RecordOptions(
        all_topics=args.all or args.all_topics,
        topics=topics,
        topic_types=args.topic_types,
        regex=args.regex,
        exclude_regex=args.exclude_regex,
        exclude_topics=args.exclude_topics,
        exclude_topic_types=args.exclude_topic_types,
        include_hidden_topics=args.include_hidden_topics,
        include_unpublished_topics=args.include_unpublished_topics,
        ignore_leaf_topics=args.ignore_leaf_topics,
        is_discovery_disabled=args.no_discovery,
        topic_polling_interval=timedelta(milliseconds=args.polling_interval),
        topic_qos_profile_overrides=overrides,
        start_paused=args.start_paused,
        use_sim_time=args.use_sim_time,
        disable_keyboard_controls=args.disable_keyboard_controls,
        compression_mode=args.compression_mode,
        compression_format=args.compression_format,
    )
    # Once the bag is closed: both a terminal and a launch may end it, the second one late.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    return None if Recorder().record(storage, options, args.node_name) else 1
