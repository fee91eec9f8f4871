"""Elements <sensor> of Gazebo, in SDF and in URDF: one reading of both.

Source: SDFormat, <sensor>; gz-sensors, GaussianNoiseModel: a reading is off by `mean`, and by an
offset that is drawn about `bias_mean`, with either sign.
"""

from math import hypot

from mb_import.joint_tree import still
from mb_import.machine import LinkJoint, MachineSensor
from mb_import.notes import Notes
from mb_import.xml_text import Element, label, number
from mb_model.file_api import shown
from mb_model.space_api import Pose

IMU, FORCE_TORQUE = 'imu', 'force_torque'
_KINDS = {'imu': IMU, 'imu_sensor': IMU, 'force_torque': FORCE_TORQUE}
# Kind -> quantity -> the element that has its axes, and, before SDF 1.5, the one of its noise
_QUANTITIES = {IMU: {'rate': ('angular_velocity', 'rate'),
                     'acceleration': ('linear_acceleration', 'accel')},
               FORCE_TORQUE: {'force': ('force', ''), 'torque': ('torque', '')}}
_IGNORED = ('pose', 'origin', 'parent', 'imu', 'force_torque', 'always_on', 'visualize',
            'update_rate', 'topic', 'enable_metrics', 'frame_id', 'gz_frame_id',
            'ignition_frame_id')
_READ = 'frame', 'measure_direction', 'noise'


def kind_of(element: Element) -> str:
    """Return imu or force_torque, '' of other sensors: by its type, else by what is in it."""
    type_ = element.get('type', '').strip() or next(
        (child.tag for child in element if child.tag in _KINDS), '')
    return _KINDS.get(type_, '')


def read_sensor(element: Element, name: str, home: str | LinkJoint, pose: Pose,
                notes: Notes) -> MachineSensor | None:
    """Return the MachineSensor of an element, None with a note of one that no kind of ours is.

    home: the link that it is on, or the joint that it is in; pose: in its frame.  Forces are what
    the child does to the parent, about the joint's origin, in axes of the child, of the parent or
    of the sensor.  Raises MechanismError.
    """
    kind, item = kind_of(element), f'sensor {name}'
    in_joint = isinstance(home, LinkJoint)
    if not kind:
        notes.left_out(item, f'type {element.get("type", "").strip()[:40] or "is missing"}: it '
                             'measures no motion or force')
        return None
    if in_joint != (kind == FORCE_TORQUE):
        where = home.name if isinstance(home, LinkJoint) else home
        notes.left_out(item, f'an IMU is on a link, {where} is a joint' if in_joint else
                       f'forces are measured in a joint, none holds {where}')
        return None
    what = element.find(kind)
    frequency = _frequency(element, item, notes)
    sigmas, biases = _noise(what, kind, item, notes)
    _note_others(element, item, notes)
    link, joint = (home, '') if isinstance(home, str) else ('', home.name)
    if isinstance(home, LinkJoint):
        link, pose = _in_joint(what, home, pose, item, notes)
    return MachineSensor(name, kind, link=link, joint=joint, pose=pose, frequency=frequency,
                         topic=_topic(element), sigmas=sigmas, biases=biases)


def _in_joint(what: Element | None, joint: LinkJoint, pose: Pose, item: str,
              notes: Notes) -> tuple[str, Pose]:
    """Return (link, pose in it) of what a force-torque sensor reads about; pose: in the joint."""
    axes = _word(what, 'frame', ('child', 'parent', 'sensor'), notes, item)
    if _word(what, 'measure_direction', ('child_to_parent', 'parent_to_child'), notes,
             item) == 'parent_to_child':
        notes.changed(item, 'measures what the parent does to the child: its readings have the '
                            'other sign')
    side = 0 if axes == 'parent' else 1
    frame = joint.frames[side]
    turn = frame.then(pose).turn if axes == 'sensor' else still().turn
    return joint.links[side], Pose(frame.at, turn)


def _word(element: Element | None, tag: str, words: tuple[str, ...], notes: Notes,
          item: str) -> str:
    """Return which of some words an element says, the first by default."""
    text = '' if element is None else (element.findtext(tag) or '').strip()
    if text and text not in words:
        raise notes.error(f'{item}: {tag}', f'{shown(text)} must be one of {", ".join(words)}')
    return text or words[0]


def _frequency(element: Element, item: str, notes: Notes) -> float | None:
    """Return how often it reads [Hz], None if it is not said."""
    text = element.get('update_rate') or element.findtext('update_rate')
    rate = number(text, notes, f'{item}: update_rate', 0.0)
    return _at_least_zero(rate, f'{item}: update_rate', notes) or None


def _note_others(element: Element, item: str, notes: Notes) -> None:
    """Note what nothing takes."""
    for key in element.attrib:
        if key not in ('name', 'type', 'update_rate') and not key.startswith('xmlns'):
            notes.left_out(item, f'its attribute {key} is not known')
    for child in element:
        if child.tag == 'plugin':
            _note_plugin(child, item, notes)
        elif child.tag not in _IGNORED:
            notes.left_out(item, f'<{child.tag}> has no meaning for a mechanism')


def _note_plugin(plugin: Element, item: str, notes: Notes) -> None:
    noises = [child.tag for child in plugin
              if 'noise' in child.tag.lower() or 'bias' in child.tag.lower()]
    if noises:
        notes.left_out(item, f'{", ".join(noises)} of its plugin; noise is read from <imu>')
    elif not _plugin_topic(plugin):
        notes.left_out(f'{item}: {label(plugin)}', 'a plugin of a simulator')


def _topic(element: Element) -> str:
    """Return the topic of a sensor, or of its plugin for ROS."""
    plugin = element.find('plugin')
    return (element.findtext('topic') or '').strip() or (
        '' if plugin is None else _plugin_topic(plugin))


def _plugin_topic(plugin: Element) -> str:
    """Return the topic of a plugin for ROS; of gazebo_ros_pkgs what its ~/out is called."""
    if name := (plugin.findtext('topicName') or '').strip():
        return name
    topics = [text.strip()[len('~/out:='):] for one in plugin.findall('ros/remapping')
              if (text := one.text or '').strip().startswith('~/out:=')]
    space = (plugin.findtext('ros/namespace') or '').strip().rstrip('/')
    return '/'.join(part for part in (space, *topics[:1]) if part) if topics else ''


def _noise(what: Element | None, kind: str, item: str,
           notes: Notes) -> tuple[dict[str, float], dict[str, float]]:
    """Return standard deviations of noise and of offsets by quantity, the largest of three axes."""
    sigmas: dict[str, float] = {}
    biases: dict[str, float] = {}
    if what is None:
        return sigmas, biases
    known = {tag for tag, _ in _QUANTITIES[kind].values()}.union(_READ)
    for child in what:
        if child.tag not in known:
            notes.left_out(item, f'<{child.tag}> says nothing that is used')
    for quantity, (tag, old) in _QUANTITIES[kind].items():
        noises = [noise for axis in ('x', 'y', 'z')
                  if (noise := what.find(f'{tag}/{axis}/noise')) is not None]
        if old and not noises and (noise := what.find(f'noise/{old}')) is not None:
            noises = [noise]
        pairs = [_of_axis(noise, quantity, f'{item}: {tag}', notes) for noise in noises]
        for kept, values in ((sigmas, [one for one, _ in pairs]), (biases, [one for _, one
                                                                            in pairs])):
            if values and max(values) > 0.0:
                kept[quantity] = max(values)
                if min(values) < max(values):
                    notes.changed(item, f'{"noise" if kept is sigmas else "offset"} of {quantity} '
                                        f'from {min(values):g} to {max(values):g} by axis: the '
                                        'largest is taken for all')
    return sigmas, biases


def _of_axis(noise: Element, quantity: str, item: str, notes: Notes) -> tuple[float, float]:
    """Return standard deviations of noise and of the offset of an axis.

    A mean that the file knows counts as one of an unknown offset: the sign of `bias_mean` is drawn.
    """
    sigma, mean, bias_mean, bias, walk = (
        number(noise.findtext(tag), notes, f'{item}: {tag}', 0.0)
        for tag in ('stddev', 'mean', 'bias_mean', 'bias_stddev', 'dynamic_bias_stddev'))
    for tag, value in (('stddev', sigma), ('bias_stddev', bias)):
        _at_least_zero(value, f'{item}: {tag}', notes)
    if walk:
        notes.left_out(item, 'dynamic_bias_stddev: offsets are taken for constant')
    if mean or bias_mean:
        notes.changed(item, f'a mean of {quantity} of {mean or bias_mean:g} counts as an unknown '
                            'offset')
    return sigma, hypot(mean, bias_mean, bias)


def _at_least_zero(value: float, item: str, notes: Notes) -> float:
    if value < 0.0:
        raise notes.error(item, f'{value:g} must be >= 0')
    return value
