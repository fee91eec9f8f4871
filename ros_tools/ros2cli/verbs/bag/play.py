"""Play back ROS data from a bag."""
from rosbag2_py.playback import FASTEST, SLOWEST

from ros2cli.values import RATE, SECONDS, Number
from ros2cli.verbs.bag.arguments import add_bag_arguments, read_qos_overrides


def add_arguments(parser):
    add_bag_arguments(parser)
    parser.add_argument('--topics', nargs='+', default=[], metavar='topic',
                        help='Space-delimited list of topics to play.')
    parser.add_argument('--exclude-topics', nargs='+', default=[], metavar='topic',
                        help='Space-delimited list of topics not to play.')
    parser.add_argument(
        '--qos-profile-overrides-path',
        help='Path to a yaml file defining overrides of the QoS profile for specific topics.')
    parser.add_argument('-m', '--remap', nargs='+', default=[], metavar='old:=new',
                        help='list of topics to be remapped: in the form '
                        '"old_topic1:=new_topic1 old_topic2:=new_topic2 etc."')
    parser.add_argument('--start-offset', type=SECONDS, default=0.0,
                        help='Start the playback player this many seconds into the bag file.')
    parser.add_argument('--disable-keyboard-controls', action='store_true',
                        help='Has no effect here: there are none')
    parser.add_argument(
        '--clock', type=RATE, nargs='?', const=40.0, default=0.0,
        help='Publish to /clock at a specific frequency in Hz, to act as a ROS Time Source. '
        'Value must be positive. Defaults to not publishing.')
    parser.add_argument('-r', '--rate', type=Number(SLOWEST, FASTEST), default=1.0,
                        help='rate at which to play back messages. Valid range > 0.0.')
    parser.add_argument(
        '-l', '--loop', action='store_true',
        help='enables loop playback when playing a bagfile: it starts back at the beginning '
        'on reaching the end and plays indefinitely.')
    parser.add_argument('-d', '--delay', type=SECONDS, default=0.0,
                        help='Sleep duration before play, in seconds.')
    parser.add_argument('-p', '--start-paused', action='store_true',
                        help='Start the playback player in a paused state.')


def main(args):
    from rosbag2_py import Player, PlayOptions, StorageOptions
    Player().play(StorageOptions(uri=args.bag_path, storage_id=args.storage or ''), PlayOptions(
        rate=args.rate, topics_to_filter=args.topics, exclude_topics_to_filter=args.exclude_topics,
        topic_qos_profile_overrides=read_qos_overrides(args.qos_profile_overrides_path),
        topic_remapping_options=args.remap, loop=args.loop, delay=args.delay,
        start_offset=args.start_offset, start_paused=args.start_paused,
        clock_publish_frequency=args.clock))
