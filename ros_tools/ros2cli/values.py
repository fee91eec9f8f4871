"""Values of arguments, and the options of quality of service."""
import argparse

import yaml

POLICIES = {        # option: (choices in rclpy.qos, help)
    'history': 'History of samples setting',
    'reliability': 'Reliability setting',
    'durability': 'Durability setting',
}


class Number:
    """Type of an argument: a finite number in a range."""

    def __init__(self, least, most, kind=float):
        """Take least ... most; kind: float or int."""
        self._least, self._most, self._kind = least, most, kind

    def __call__(self, text):
        """The number of a text.  Raises ArgumentTypeError."""
        try:
            value = self._kind(text)
        except ValueError:
            value = None
        if value is None or not self._least <= value <= self._most:     # nan is in no range
            noun = 'whole number' if self._kind is int else 'number'
            raise argparse.ArgumentTypeError(
                f'{text!r} must be a {noun} from {self._least:g} to {self._most:g}')
        return value


SECONDS = Number(0.0, 1e9)      # [s]: thirty years, which clocks and waits can hold
RATE = Number(1e-6, 1e6)        # [Hz], and of a bag's time beside wall time
COUNT = Number(0, 2 ** 31 - 1, int)
POSITIVE_COUNT = Number(1, 2 ** 31 - 1, int)
BYTES = Number(0, 2 ** 63 - 1, int)


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
        type=COUNT,
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
