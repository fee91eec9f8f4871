"""Arguments of launch descriptions."""


def parse_launch_arguments(launch_arguments):
    """Return (name, value) pairs of arguments `name:=value`, the last of each name."""
    pairs = {}
    for argument in launch_arguments:
        name, found, value = argument.partition(':=')
        if not found or not name:
            raise RuntimeError(f"malformed launch argument '{argument}', "
                               "expected format '<name>:=<value>'")
        pairs[name] = value
    return list(pairs.items())
