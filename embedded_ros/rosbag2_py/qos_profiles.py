"""QoS profiles as bags keep them: dictionaries whose policies have names (numbers in old bags)."""
import yaml

NANOSECONDS = 10 ** 9
DURATIONS = ('deadline', 'lifespan', 'liveliness_lease_duration')


def qos_to_dict(qos):
    """The entry of a rclpy QoSProfile in a bag's metadata."""
    entry = {'history': qos.history.name.lower(), 'depth': qos.depth,
             'reliability': qos.reliability.name.lower(), 'durability': qos.durability.name.lower(),
             'deadline': _duration(qos.deadline), 'lifespan': _duration(qos.lifespan),
             'liveliness': qos.liveliness.name.lower(),
             'liveliness_lease_duration': _duration(qos.liveliness_lease_duration),
             'avoid_ros_namespace_conventions': bool(qos.avoid_ros_namespace_conventions)}
    return entry


def qos_from_dict(entry):
    """The rclpy QoSProfile of an entry; what it leaves out has the default.  Raises ValueError."""
    from rclpy import qos
    from rclpy.duration import Duration
    kinds = {'history': qos.HistoryPolicy, 'reliability': qos.ReliabilityPolicy,
             'durability': qos.DurabilityPolicy, 'liveliness': qos.LivelinessPolicy}
    values = {'depth': 10}
    for name, value in entry.items():
        if name in kinds:
            values[name] = _policy(kinds[name], name, value)
        elif name in DURATIONS:
            values[name] = Duration(nanoseconds=_whole(value['sec']) * NANOSECONDS
                                    + _whole(value['nsec']))
        elif name in ('depth', 'avoid_ros_namespace_conventions'):
            values[name] = value
        else:
            raise ValueError(f'{name}: no such QoS policy')
    return qos.QoSProfile(**values)


def qos_list_from_metadata(value):
    """Dictionaries of the QoS profiles in a topic's metadata (a list, or its YAML text)."""
    return (yaml.safe_load(value) if isinstance(value, str) else value) or []


def _whole(value):
    """A whole number: of anything else there would be a thousand million copies."""
    if type(value) is not int:
        raise ValueError(f'{value!r} must be a whole number')
    return value


def _policy(kind, name, value):
    try:
        return kind(value) if isinstance(value, int) else kind[value.upper()]
    except (KeyError, ValueError):
        raise ValueError(f'{name}: {value!r} must be one of '
                         f'{", ".join(policy.name.lower() for policy in kind)}') from None


def _duration(duration):
    seconds, nanoseconds = divmod(duration.nanoseconds, NANOSECONDS)
    return {'sec': seconds, 'nsec': nanoseconds}
