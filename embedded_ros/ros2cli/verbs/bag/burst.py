"""Burst data from a bag."""
from ros2cli.values import unsigned_int
from ros2cli.verbs.bag.play_arguments import add_play_arguments, play_options


def add_arguments(parser):
    add_play_arguments(parser)
    parser.add_argument('-n', '--num-messages', type=unsigned_int, default=0,
                        help='Burst the specified number of messages, then stop (0: all of them).')


def main(args):
    from rosbag2_py import Player, StorageOptions

    Player().burst(
        StorageOptions(uri=args.bag_path, storage_id=args.storage or ''),
        play_options(args),
        args.num_messages,
    )
