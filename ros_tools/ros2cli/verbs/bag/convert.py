"""Write bags anew: with different settings, or the metadata of a damaged one."""
import heapq
import os
import shutil

from rosbag2_py import RecordOptions, Reindexer, SequentialReader, StorageFilter, StorageOptions
from rosbag2_py.metadata import BagError
from rosbag2_py.reader import message_definitions

from ros2cli.verbs.bag.arguments import add_bag_arguments, bag_error, existing_bag

STORAGE_KEYS = ('uri', 'storage_id', 'storage_preset_profile')
FILTER_KEYS = ('topics', 'exclude_topics')
COMPRESSION_KEYS = ('compression_mode', 'compression_format')
CHOICE_KEYS = ('all', 'all_topics')
KEYS = (*STORAGE_KEYS, *COMPRESSION_KEYS, *CHOICE_KEYS, *FILTER_KEYS)


def add_convert_arguments(parser):
    parser.add_argument(
        '-i',
        '--input',
        required=True,
        action='append',
        nargs='+',
        metavar=('uri', 'storage_id'),
        help='URI (and optional storage ID) of an input bag. May be provided more than '
        'once for multiple input bags.',
    )
    parser.add_argument('-o', '--output-options', type=existing_bag, required=True,
                        help='YAML file with options for output bags. Must have one top-level key '
                        '"output_bags", a list of options of bags '
                        f'({", ".join(KEYS)})')


def run_convert(args):
    import yaml
    try:
        with open(args.output_options, encoding='utf-8') as handle:
            document = yaml.safe_load(handle)
    except (OSError, ValueError, yaml.YAMLError) as error:
        return bag_error(f'{args.output_options}: {" ".join(str(error).split())}')
    if not isinstance(document, dict) or not isinstance(document.get('output_bags'), list):
        return bag_error(f'{args.output_options}: must have the key output_bags with a list')
    for options in document['output_bags']:
        if not isinstance(options, dict) or not isinstance(options.get('uri'), str):
            return bag_error(f'{args.output_options}: each of output_bags needs a uri')
        unknown = ', '.join(sorted(map(str, set(options) - set(KEYS))))
        if unknown:
            return bag_error(f'{args.output_options}: {unknown}: no such option here')
        convert([words[0] for words in args.input], options)
    return None


def convert(uris, options):
    """Write one new bag from several, in the order of their time stamps; whole or not at all."""
    from rosbag2_py.recorder import writer_for
    chosen = StorageFilter(**{key: options[key] for key in FILTER_KEYS if key in options})
    readers = [open_reader(uri, chosen) for uri in uris]
    writer = writer_for(RecordOptions(
        **{key: options[key] for key in COMPRESSION_KEYS if key in options}))
    writer.open(StorageOptions(**{key: options[key] for key in STORAGE_KEYS if key in options}))
    try:
        copy(readers, chosen, writer)
    except BaseException:
        writer.close()
        shutil.rmtree(options['uri'], ignore_errors=True)
        raise


def copy(readers, chosen, writer):
    """Write what readers have into a bag, types that are not installed too.  Raises BagError."""
    known = {}
    for reader in readers:
        definitions = message_definitions(reader)
        for kind, definition in definitions.items():
            if fields_of(known.setdefault(kind, definition)) != fields_of(definition):
                raise BagError(f'{kind}: the bags have two definitions of it, which cannot be in '
                               'one bag')
        for topic in reader.get_all_topics_and_types():
            if chosen.lets_through(topic.name):
                writer.create_topic(topic, definitions.get(topic.type))
    for topic, data, stamp in heapq.merge(*map(messages, readers), key=lambda message: message[2]):
        writer.write(topic, data, stamp)
        if writer.problem:
            raise BagError(f'The new bag cannot be written: {writer.problem}')
    writer.close()
    if writer.problem or writer.lost:
        raise BagError('The new bag cannot be written: '
                       f'{writer.problem or f"{writer.lost} messages are lost"}')


def fields_of(definition):
    """What a MessageDefinition says, without comments and blanks."""
    lines = (line.partition('#')[0].split() for line in definition.data.splitlines())
    return definition.format, [line for line in lines if line]


def open_reader(uri, chosen):
    """A reader of a bag that leaves out what is not chosen."""
    reader = SequentialReader()
    reader.open_uri(uri)
    reader.set_filter(chosen)
    return reader


def messages(reader):
    """All (topic, data, stamp) of a reader."""
    while reader.has_next():
        yield reader.read_next()


def add_reindex_arguments(parser):
    add_bag_arguments(parser)


def run_reindex(args):
    if not os.path.isdir(args.bag_path):
        return bag_error('Must specify a bag directory')
    lost = Reindexer().reindex(StorageOptions(uri=args.bag_path, storage_id=args.storage or ''))
    return 1 if lost else 0
