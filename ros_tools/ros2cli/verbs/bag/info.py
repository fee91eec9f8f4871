"""Print information about a bag to the screen."""
from datetime import datetime

from rosbag2_py import Info

from ros2cli.verbs.bag.arguments import add_bag_arguments

LABEL_WIDTH = 19
SIZE_UNITS = ('B', 'KiB', 'MiB', 'GiB', 'TiB')


def add_arguments(parser):
    add_bag_arguments(parser)
    parser.add_argument('-t', '--topic-name', action='store_true', help='Only display topic names.')


def main(args):
    metadata = Info().read_metadata(args.bag_path, args.storage or '')
    if args.topic_name:
        for topic in metadata.topics_with_message_count:
            print(topic.topic_metadata.name)
        return
    print()
    for label, value in lines(metadata):
        print(f'{label:<{LABEL_WIDTH}}{value}')


def lines(metadata):
    """(label, text) of each line about a bag."""
    start = metadata.starting_time_ns
    end = start + metadata.duration_ns
    label = 'Files:'
    for path in metadata.relative_file_paths:
        yield label, path
        label = ''
    yield 'Bag size:', readable_size(metadata.bag_size)
    yield 'Storage id:', metadata.storage_identifier
    yield 'ROS Distro:', metadata.ros_distro
    yield 'Duration:', f'{seconds(metadata.duration_ns)}s'
    yield 'Start:', readable_time(start)
    yield 'End:', readable_time(end)
    yield 'Messages:', metadata.message_count
    label = 'Topic information:'
    for information in metadata.topics_with_message_count:
        topic = information.topic_metadata
        yield (
            label,
            (
                f'Topic: {topic.name} | Type: {topic.type} | Count: {information.message_count} | '
                f'Serialization Format: {topic.serialization_format}'
            ),
        )
        label = ''
    yield 'Services:', 0
    yield 'Service information:', ''


def seconds(nanoseconds):
    """Seconds with all nine digits."""
    return f'{nanoseconds // 10 ** 9}.{nanoseconds % 10 ** 9:09d}'


def readable_time(nanoseconds):
    """Local date and time, and seconds since the epoch."""
    date = datetime.fromtimestamp(nanoseconds // 10 ** 9).strftime('%b %e %Y %H:%M:%S')
    return f'{date}.{nanoseconds % 10 ** 9:09d} ({seconds(nanoseconds)})'


def readable_size(size):
    """A number of bytes in the unit that fits."""
    power = 0
    while size >= 1024 and power < len(SIZE_UNITS) - 1:
        size, power = size / 1024, power + 1
    return f'{size:.1f} {SIZE_UNITS[power]}' if power else f'{size} B'
