"""Show the arguments of a launch description."""


def print_arguments_of_launch_description(*, launch_description):
    """Print name, text and default of each launch argument."""
    print("Arguments (pass arguments as '<name>:=<value>'):")
    arguments = launch_description.get_launch_arguments()
    if not arguments:
        print('\n  No arguments.')
    for argument in arguments:
        print(f"\n    '{argument.name}':\n        {argument.description}")
        if argument.default_value is not None:
            default = ' + '.join(part.describe() for part in argument.default_value)
            print(f'        (default: {default})')
