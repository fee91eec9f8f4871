"""Arguments of `ros2 bag play` and `burst`."""
from ros2cli.values import positive_float
from ros2cli.verbs.bag.arguments import add_bag_arguments, not_negative, read_qos_overrides


def add_play_arguments(parser):
    """Add what play and burst have in common."""
    add_bag_arguments(parser)
    parser.add_argument('--topics', nargs='+', default=[], metavar='topic',
                        help='Space-delimited list of topics to play.')
    parser.add_argument(
        '-e', '--regex', default='', help='Play only topics matches with regular expression.'
    )
    parser.add_argument(
        '-x',
        '--exclude-regex',
        default='',
        help='regular expressions to exclude topics from replay.',
    )
    parser.add_argument('--exclude-topics', nargs='+', default=[], metavar='topic',
                        help='Space-delimited list of topics not to play.')
    parser.add_argument(
        '--qos-profile-overrides-path',
        help='Path to a yaml file defining overrides of the QoS profile for specific topics.',
    )
    parser.add_argument('-m', '--remap', nargs='+', default=[], metavar='old:=new',
                        help='list of topics to be remapped: in the form '
                        '"old_topic1:=new_topic1 old_topic2:=new_topic2 etc."')
    parser.add_argument('--start-offset', type=not_negative, default=0.0,
                        help='Start the playback player this many seconds into the bag file.')
    parser.add_argument('--disable-keyboard-controls', action='store_true',
                        help='disables keyboard controls for playback')
    parser.add_argument(
        '--wait-for-all-acked',
        type=int,
        default=-1,
        metavar='TIMEOUT',
        help='Wait until all published messages are acknowledged by all subscribers or '
        'until the timeout elapses in millisecond before play is terminated.',
    )


def add_clock_arguments(parser):
    """Add the options of /clock."""
    clock = parser.add_mutually_exclusive_group()
    clock.add_argument(
        '--clock',
        type=positive_float,
        nargs='?',
        const=40.0,
        default=0.0,
        help='Publish to /clock at a specific frequency in Hz, to act as a ROS Time Source. '
        'Value must be positive. Defaults to not publishing.',
    )
    clock.add_argument(
        '--clock-topics',
        nargs='+',
        default=[],
        metavar='topic',
        help='List of topics separated by spaces that will trigger a /clock update when a '
        'message is published on them',
    )
    clock.add_argument(
        '--clock-topics-all',
        action='store_true',
        help='Publishes an update on /clock immediately before each replayed message',
    )


def play_options(args):
    """PlayOptions of what play and burst have in common."""
    from rosbag2_py import PlayOptions
    return PlayOptions(
        topics_to_filter=args.topics, regex_to_filter=args.regex,
        exclude_regex_to_filter=args.exclude_regex, exclude_topics_to_filter=args.exclude_topics,
        topic_qos_profile_overrides=read_qos_overrides(args.qos_profile_overrides_path),
        topic_remapping_options=args.remap, start_offset=args.start_offset,
        disable_keyboard_controls=args.disable_keyboard_controls,
        wait_acked_timeout=args.wait_for_all_acked)
