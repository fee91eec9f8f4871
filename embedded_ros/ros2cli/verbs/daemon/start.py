"""Start the daemon if it isn't running."""


def add_arguments(parser):
    pass


def main(args):
    return ('embedded_ros has no daemon: every ros2 command discovers the graph itself, '
            'so there is nothing to start')
