"""Output the status of the daemon."""


def add_arguments(parser):
    pass


def main(args):
    print('The daemon is not running')
