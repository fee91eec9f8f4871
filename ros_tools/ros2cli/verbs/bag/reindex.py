"""Reconstruct metadata file for a bag."""
import os

from rosbag2_py import Reindexer, StorageOptions

from ros2cli.verbs.bag.arguments import add_bag_arguments, bag_error


def add_arguments(parser):
    add_bag_arguments(parser)


def main(args):
    if not os.path.isdir(args.bag_path):
        return bag_error('Must specify a bag directory')
    lost = Reindexer().reindex(StorageOptions(uri=args.bag_path, storage_id=args.storage or ''))
    return 1 if lost else 0
