"""The sensors of a mechanism file as a JSON schema: for editors, validators and the documentation.

mb_sensors.selection reads sensors by the same descriptions, and reports what is wrong in words.
"""

from mb_sensors.kind_parts.sensor_kind import SensorKind, number
from mb_sensors.kinds import sensor_kinds
from mb_sensors.sensor import NoiseSettings

_TOPIC = {'type': 'string', 'title': 'the name of a topic',
          'description': 'Topic of its readings, default the name of the sensor; readings that one '
                         'device takes at once may share a topic.'}
_JOINT = {'type': 'string', 'title': 'the name of a joint',
          'description': 'Name of its joint in a JointState or a DynamicJointState, default the '
                         'name of the sensor.'}
_INTERFACE = {'type': 'string', 'title': 'the name of a state interface',
              'description': 'State interface of its joint, such as velocity: readings come in a '
                             'DynamicJointState, as joint_state_broadcaster of ros2_control sends '
                             'on dynamic_joint_states. Sensors of one number have it.'}
_BOUNDS = {'above': 'exclusiveMinimum', 'at_least': 'minimum', 'at_most': 'maximum'}


def sensors_schema() -> dict:
    """Return the definitions of sensors of mechanism files in the plane and in space, by name."""
    return {'sensors': _schema(2), 'spatial_sensors': _schema(3)}


def _schema(dimension):
    """Return the schema of the sensors of files of a dimension, of all registered kinds."""
    noise = {name: _setting(name, *described) for name, *described in NoiseSettings.describe()}
    entry = {
        'type': 'object', 'title': 'sensor',
        'required': ['kind', *(name for name in noise if name not in NoiseSettings.defaults())],
        'properties': {**noise, 'topic': _TOPIC, 'joint_name': _JOINT,
                       'interface': _INTERFACE},
        'oneOf': [kind_schema(kind, dimension) for kind in sensor_kinds().values()
                  if kind.known_in(dimension)],
        'unevaluatedProperties': False}
    return {'type': 'object', 'additionalProperties': entry,
            'description': 'Sensors, by name: what they measure, and their errors in SI units.'}


def kind_schema(kind: SensorKind, dimension: int) -> dict:
    """Return the schema of the own keys of a SensorKind on mechanisms of a dimension."""
    keys = kind.of(dimension).keys
    return {'type': 'object', 'description': f'{kind.measures} [{kind.unit}].',
            'properties': {'kind': {'const': kind.name}, **keys},
            'required': ['kind', *(key for key, described in keys.items()
                                   if 'default' not in described)]}


def _setting(name, of, description):
    """Return the schema of a setting of a Settings class, by its type and Description."""
    unit = f' [{description.unit}]' if description.unit else ''
    default = ({'default': NoiseSettings.defaults()[name]}
               if name in NoiseSettings.defaults() else {})
    help_text = f'{description.help}{unit}.'
    if of is bool:
        return {'type': 'boolean', 'title': 'true or false', 'description': help_text, **default}
    bounds = {keyword: getattr(description, bound) for bound, keyword in _BOUNDS.items()
              if getattr(description, bound) is not None}
    return number(help_text, **bounds, **default)
