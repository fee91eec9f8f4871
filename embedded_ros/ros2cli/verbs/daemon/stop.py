"""Stop the daemon if it is running."""


def add_arguments(parser):
    pass


def main(args):
    print('The daemon is not running')
