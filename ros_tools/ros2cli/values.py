"""Values of arguments, and the options of quality of service."""
import argparse

import yaml

POLICIES = {        # option: (choices in rclpy.qos, help)
    'history': 'History of samples setting',
    'reliability': 'Reliability setting',
    'durability': 'Durability setting',
}


def positive_float(text):
    """Type of an argument: a number above 0."""
    value = float(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f'{text} must be positive')
    return value


def positive_int(text):
    """Type of an argument: a whole number above 0."""
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f'{text} must be positive')
    return value


def not_negative(text):
    """Type of an argument: a number that is not below 0."""
    value = float(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f'{text} must not be negative')
    return value


def unsigned_int(text):
    """Type of an argument: a whole number that is not below 0."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f'{text} must not be negative')
    return value


def yaml_dictionary(text):
    """{field: value} of YAML text.  Raises RuntimeError."""
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise RuntimeError(f'The passed value is not valid YAML: {error}') from None
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise RuntimeError('The passed value needs to be a dictionary in YAML format')
    return values


def _profiles():
    from rclpy.qos import QoSPresetProfiles
    return QoSPresetProfiles.short_keys()


def _depth(text):
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f'depth must not be negative: {text}')
    return value


def add_qos_arguments(parser, role, default_profile):
    """Add --qos-profile, --qos-depth, --qos-history, ... for a `role` ('subscribe', 'publish')."""
    from rclpy import qos
    enums = {'history': qos.HistoryPolicy, 'reliability': qos.ReliabilityPolicy,
             'durability': qos.DurabilityPolicy}
    parser.add_argument(
        '--qos-profile',
        choices=_profiles(),
        help=f'Quality of service preset profile to {role} with (default: {default_profile})',
    )
    parser.add_argument(
        '--qos-depth',
        type=_depth,
        metavar='N',
        help=f'Queue size setting to {role} with (overrides depth value of --qos-profile)',
    )
    for policy, text in POLICIES.items():
        parser.add_argument(
            f'--qos-{policy}',
            choices=enums[policy].short_keys(),
            help=f'{text} to {role} with (overrides {policy} value of --qos-profile)',
        )


def has_qos_options(args):
    """Whether any --qos-* option was given."""
    return any(getattr(args, name) is not None for name in vars(args) if name.startswith('qos_'))


def profile_from_options(args, default):
    """A QoSProfile: the preset asked for, or a copy of `default`, changed by the other options."""
    import copy

    from rclpy import qos
    profile = copy.copy(qos.QoSPresetProfiles.get_from_short_key(args.qos_profile)
                        if args.qos_profile else default)
    if args.qos_depth is not None:
        profile.depth = args.qos_depth
    if args.qos_history:
        profile.history = qos.HistoryPolicy.get_from_short_key(args.qos_history)
    if args.qos_reliability:
        profile.reliability = qos.ReliabilityPolicy.get_from_short_key(args.qos_reliability)
    if args.qos_durability:
        profile.durability = qos.DurabilityPolicy.get_from_short_key(args.qos_durability)
    return profile


def adapt_to_publishers(profile, offered):
    """Ask for as much as all publishers offer: reliable and transient local only if all are.

    `offered` are the QoS profiles of the publishers; `profile` is changed and returned.
    """
    from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
    if offered:
        reliable = all(qos.reliability == ReliabilityPolicy.RELIABLE for qos in offered)
        latched = all(qos.durability == DurabilityPolicy.TRANSIENT_LOCAL for qos in offered)
        profile.reliability = (
            ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT
        )
        profile.durability = (
            DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE
        )
    return profile
