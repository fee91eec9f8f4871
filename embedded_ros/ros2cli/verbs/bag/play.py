"""Play back ROS data from a bag."""
from ros2cli.values import positive_float
from ros2cli.verbs.bag.arguments import not_negative
from ros2cli.verbs.bag.play_arguments import add_clock_arguments, add_play_arguments, play_options


def add_arguments(parser):
    add_play_arguments(parser)
    add_clock_arguments(parser)
    parser.add_argument('-r', '--rate', type=positive_float, default=1.0,
                        help='rate at which to play back messages. Valid range > 0.0.')
    parser.add_argument(
        '-l',
        '--loop',
        action='store_true',
        help='enables loop playback when playing a bagfile: it starts back at the beginning '
        'on reaching the end and plays indefinitely.',
    )
    parser.add_argument(
        '-d',
        '--delay',
        type=not_negative,
        default=0.0,
        help='Sleep duration before play (each loop), in seconds. Negative durations invalid.',
    )
    parser.add_argument(
        '-p',
        '--start-paused',
        action='store_true',
        help='Start the playback player in a paused state.',
    )
    parser.add_argument(
        '--playback-duration',
        type=float,
        default=-1.0,
        help='Playback duration, in seconds. Negative durations mark an infinite playback. '
        'Default is -1.0.',
    )
    until = parser.add_mutually_exclusive_group()
    until.add_argument('--playback-until-sec', type=float, default=-1.0,
                       help='Playback until timestamp, expressed in seconds since epoch.')
    until.add_argument('--playback-until-nsec', type=int, default=-1,
                       help='Playback until timestamp, expressed in nanoseconds since epoch.')
    parser.add_argument(
        '--read-ahead-queue-size',
        type=int,
        default=1000,
        help='size of message queue rosbag tries to hold in memory to help deterministic '
        'playback. Has no effect here: messages are read when they are due.',
    )


def main(args):
    from rosbag2_py import Player, StorageOptions
    options = play_options(args)
    options.rate, options.loop, options.delay = args.rate, args.loop, args.delay
    options.start_paused = args.start_paused
    options.playback_duration = args.playback_duration
    options.playback_until_timestamp = (
        args.playback_until_nsec
        if args.playback_until_sec < 0
        else round(args.playback_until_sec * 1e9)
    )
    options.clock_publish_frequency = args.clock
    options.clock_publish_on_topic_publish = args.clock_topics_all or bool(args.clock_topics)
    options.clock_topics = args.clock_topics
    Player().play(StorageOptions(uri=args.bag_path, storage_id=args.storage or ''), options)
