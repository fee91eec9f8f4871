"""Print information about available plugins to the screen."""
from rosbag2_py import (
    get_registered_compressors,
    get_registered_readers,
    get_registered_serializers,
    get_registered_writers,
)

PLUGINS = {'storage': lambda: get_registered_readers() | get_registered_writers(),
           'converter': get_registered_serializers, 'compressor': get_registered_compressors,
           'decompressor': get_registered_compressors}


def add_arguments(parser):
    parser.add_argument('plugin_type', choices=PLUGINS, help='lists available plugins')


def main(args):
    for name in sorted(PLUGINS[args.plugin_type]()):
        print(name)
