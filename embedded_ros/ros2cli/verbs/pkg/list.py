"""Output a list of available packages."""
from ament_index_python import get_packages_with_prefixes


def add_arguments(parser):
    pass


def main(args):
    for name in sorted(get_packages_with_prefixes()):
        print(name)
