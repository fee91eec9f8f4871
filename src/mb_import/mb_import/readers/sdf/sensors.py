"""Elements <sensor> of links and joints, in SDF and in <gazebo> of URDF."""

from collections.abc import Iterable

from mb_import.joint_tree import still
from mb_import.machine import LinkJoint, MachineSensor
from mb_import.notes import Notes
from mb_import.readers.sdf.poses import read_pose
from mb_import.xml_text import Element, label, number
from mb_model.space_api import Pose

# Quantity -> the element that has its axes, and, before SDF 1.5, the one of its noise
_OF_IMU = {'rate': ('angular_velocity', 'rate'), 'acceleration': ('linear_acceleration', 'accel')}
_OF_FORCE = {'force': ('force', ''), 'torque': ('torque', '')}
_IGNORED = ('pose', 'imu', 'force_torque', 'always_on', 'visualize', 'update_rate', 'topic',
            'enable_metrics', 'frame_id', 'gz_frame_id', 'ignition_frame_id')


def read_link_sensor(element: Element, link: str, pose: Pose, notes: Notes) -> MachineSensor | None:
    """Return the MachineSensor of an IMU in a link, None with a note for all others.

    pose: in the link's frame.  Raises MechanismError.
    """
    type_ = element.get('type', '').strip()
    if type_ != 'imu':
        notes.left_out(label(element), f'of type {type_[:40] or "none"}: a link has IMUs alone')
        return None
    sigmas, biases = _noise(element.find('imu'), _OF_IMU, notes, label(element))
    frequency, topic = _stream(element, notes)
    return MachineSensor(element.get('name', 'imu'), 'imu', link=link, pose=pose,
                         frequency=frequency, topic=topic, sigmas=sigmas, biases=biases)


def read_joint_sensor(element: Element, joint: LinkJoint, notes: Notes) -> MachineSensor | None:
    """Return the MachineSensor of a force-torque sensor in a joint, None with a note for others.

    It reads what the child does to the parent, about the joint's origin, in axes of the child, of
    the parent or its own.  Raises MechanismError.
    """
    type_, item = element.get('type', '').strip(), label(element)
    if type_ != 'force_torque':
        notes.left_out(item, f'of type {type_[:40] or "none"}: a joint has force_torque alone')
        return None
    what = element.find('force_torque')
    axes = _word(what, 'frame', ('child', 'parent', 'sensor'), notes, item)
    if _word(what, 'measure_direction', ('child_to_parent', 'parent_to_child'), notes,
             item) == 'parent_to_child':
        notes.changed(item, 'measures what the parent does to the child: its readings have the '
                            'other sign')
    pose, base = read_pose(element, notes, item)
    if base:
        notes.left_out(item, f'its pose relative to {base[:40]}: taken at the joint')
        pose = still()
    side = 0 if axes == 'parent' else 1
    frame = joint.frames[side]
    turned = frame.then(pose).turn if axes == 'sensor' else still().turn
    sigmas, biases = _noise(what, _OF_FORCE, notes, item)
    frequency, topic = _stream(element, notes)
    return MachineSensor(element.get('name', 'force_torque'), 'force_torque',
                         link=joint.links[side], joint=joint.name, pose=Pose(frame.at, turned),
                         frequency=frequency, topic=topic, sigmas=sigmas, biases=biases)


def _word(element: Element | None, tag: str, words: tuple[str, ...], notes: Notes,
          item: str) -> str:
    """Return which of some words an element says, the first by default."""
    text = '' if element is None else (element.findtext(tag) or '').strip()
    if text and text not in words:
        raise notes.error(f'{item}: {tag}', f'{text[:40]!r} must be one of {", ".join(words)}')
    return text or words[0]


def _stream(element: Element, notes: Notes) -> tuple[float | None, str]:
    """Return frequency [Hz], None if it is not said, and topic."""
    for child in element:
        if child.tag == 'plugin':
            notes.left_out(f'{label(element)}: {label(child)}', 'a plugin of a simulator')
        elif child.tag not in _IGNORED:
            notes.left_out(label(element), f'<{child.tag}> has no meaning for a mechanism')
    rate = number(element.findtext('update_rate'), notes, f'{label(element)}: update_rate', 0.0)
    return (rate if rate > 0.0 else None), (element.findtext('topic') or '').strip()


def _noise(element: Element | None, quantities: dict[str, tuple[str, str]], notes: Notes,
           item: str) -> tuple[dict[str, float], dict[str, float]]:
    """Return standard deviations of noise and of biases by quantity, the largest of three axes."""
    sigmas: dict[str, float] = {}
    biases: dict[str, float] = {}
    if element is None:
        return sigmas, biases
    for quantity, (tag, old) in quantities.items():
        noises = [noise for axis in ('x', 'y', 'z')
                  if (noise := element.find(f'{tag}/{axis}/noise')) is not None]
        if old and not noises and (noise := element.find(f'noise/{old}')) is not None:
            noises = [noise]
        _put(sigmas, quantity, _deviations(noises, 'stddev', notes, item), notes, item)
        _put(biases, quantity, _deviations(noises, 'bias_stddev', notes, item), notes, item)
        means = [abs(number(noise.findtext(key), notes, f'{item}: {key}', 0.0))
                 for noise in noises for key in ('mean', 'bias_mean')]
        if any(means):
            notes.left_out(item, f'a known offset of {quantity}, up to {max(means):g}')
    return sigmas, biases


def _deviations(noises: Iterable[Element], tag: str, notes: Notes, item: str) -> list[float]:
    """Return standard deviations of axes; raises MechanismError for negative ones."""
    values = [number(noise.findtext(tag), notes, f'{item}: {tag}', 0.0) for noise in noises]
    if values and min(values) < 0.0:
        raise notes.error(f'{item}: {tag}', f'{min(values):g} must be >= 0')
    return values


def _put(kept: dict[str, float], quantity: str, values: list[float], notes: Notes,
         item: str) -> None:
    """Keep the largest of some values, if it is not 0."""
    if values and max(values) > 0.0:
        kept[quantity] = max(values)
        if min(values) < max(values):
            notes.changed(item, f'noise of {quantity} from {min(values):g} to {max(values):g} by '
                                'axis: the largest is taken for all')
