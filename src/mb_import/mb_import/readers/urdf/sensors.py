"""Sensors in URDF: <sensor> of Gazebo and of URDF itself."""

from collections.abc import Collection, Mapping, Sequence
from math import hypot

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import LinkJoint, MachineSensor
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import (
    at_least_zero,
    attribute,
    children,
    leave_out_others,
    local,
    named,
    only,
    origin_of,
    text_of,
)
from mb_import.xml_text import Element, number, numbers
from mb_model.space_api import Pose, of_roll_pitch_yaw

_KINDS = {'imu': 'imu', 'imu_sensor': 'imu', 'force_torque': 'force_torque'}
# Parts of <imu> and <force_torque> -> quantity of their noise.
_QUANTITIES = {'angular_velocity': 'rate', 'linear_acceleration': 'acceleration',
               'force': 'force', 'torque': 'torque'}
_KNOWN = ('imu', 'force_torque', 'pose', 'origin', 'parent', 'update_rate', 'topic', 'always_on',
          'visualize', 'plugin')


def read_gazebo_sensors(elements: Sequence[Element], links: Collection[str],
                        joints: Mapping[str, LinkJoint],
                        notes: Notes) -> dict[str, MachineSensor]:
    """Return the sensors in all <gazebo reference>; raises MechanismError."""
    sensors: dict[str, MachineSensor] = {}
    for gazebo in elements:
        reference = (attribute(gazebo, 'reference') or '').strip()
        for element in children(gazebo, 'sensor'):
            _add(sensors, element, reference, links, joints, notes)
    return sensors


def read_own_sensors(elements: Sequence[Element], links: Collection[str],
                     joints: Mapping[str, LinkJoint], notes: Notes) -> dict[str, MachineSensor]:
    """Return the sensors that are children of <robot>; raises MechanismError."""
    sensors: dict[str, MachineSensor] = {}
    for element in elements:
        parent = only(element, 'parent', notes, f'sensor {named(element, notes)}')
        reference = attribute(parent, 'link') or attribute(parent, 'joint') or ''
        _add(sensors, element, reference, links, joints, notes)
    return sensors


def mount_of(kind: str, reference: str, links: Collection[str],
             joints: Mapping[str, LinkJoint]) -> dict[str, str]:
    """Return link or joint of a sensor: forces are measured in the joint that holds a link."""
    if kind != 'force_torque':
        return {'link': reference}
    holding = next((name for name, joint in joints.items() if joint.links[1] == reference), '')
    return {'joint': holding if reference in links else reference}


def _add(sensors: dict[str, MachineSensor], element: Element, reference: str,
         links: Collection[str], joints: Mapping[str, LinkJoint], notes: Notes) -> None:
    """Add what a <sensor> on a link or joint measures, if a kind of ours does."""
    name = named(element, notes)
    item = f'sensor {name}'
    type_ = attribute(element, 'type') or next(
        (local(child.tag) for child in element if local(child.tag) in _KINDS), '')
    if type_ not in _KINDS:
        notes.left_out(item, f'type {type_ or "is missing"}: it measures no motion or force')
        return
    if reference not in links and reference not in joints:
        notes.left_out(item, f'there is no link or joint {reference}'.rstrip())
        return
    if name in sensors:
        raise notes.error(item, 'there are two sensors of this name')
    kind = _KINDS[type_]
    if kind == 'imu' and reference not in links:
        notes.left_out(item, f'an IMU is on a link, {reference} is a joint')
        return
    leave_out_others(element, ('name', 'type', 'update_rate'), _KNOWN, notes, item)
    _note_plugins(element, item, notes)
    rate = number(attribute(element, 'update_rate') or text_of(element, 'update_rate'), notes,
                  f'{item}: update_rate', 0.0)
    sigmas, biases = _noise(only(element, kind, notes, item), item, notes)
    sensors[name] = MachineSensor(
        name, kind, **mount_of(kind, reference, links, joints), pose=_pose(element, item, notes),
        frequency=at_least_zero(rate, notes, f'{item}: update_rate') or None,
        topic=_topic(element), sigmas=sigmas, biases=biases)


def _pose(element: Element, item: str, notes: Notes) -> Pose:
    """Return the pose of a sensor in its link's frame."""
    if next(children(element, 'origin'), None) is not None:
        return origin_of(element, notes, item)
    pose = only(element, 'pose', notes, item)
    if pose is None:
        return still()
    if attribute(pose, 'relative_to'):
        notes.left_out(f'{item}: pose', 'relative_to: it is taken for relative to the link')
    values = numbers(pose.text, 6, notes, f'{item}: pose', (0.0,) * 6)
    return Pose(np.array(values[:3]), of_roll_pitch_yaw(values[3:]))


def _topic(element: Element) -> str:
    """Return the topic of a sensor, or of its plugin for ROS."""
    plugin = next(children(element, 'plugin'), None)
    return text_of(element, 'topic') or text_of(plugin, 'topicName') or _remapped(plugin)


def _remapped(plugin: Element | None) -> str:
    """Return what ~/out of a plugin of gazebo_ros_pkgs is called."""
    ros = None if plugin is None else next(children(plugin, 'ros'), None)
    if ros is None:
        return ''
    topics = [text.strip()[len('~/out:='):] for one in children(ros, 'remapping')
              if (text := one.text or '').strip().startswith('~/out:=')]
    return '/'.join(part for part in (text_of(ros, 'namespace').rstrip('/'), *topics[:1]) if part
                    ) if topics else ''


def _note_plugins(element: Element, item: str, notes: Notes) -> None:
    for plugin in children(element, 'plugin'):
        noises = [local(child.tag) for child in plugin
                  if 'noise' in local(child.tag).lower() or 'bias' in local(child.tag).lower()]
        if noises:
            notes.left_out(item, f'{", ".join(noises)} of its plugin; noise is read from <imu>')


def _noise(element: Element | None, item: str,
           notes: Notes) -> tuple[dict[str, float], dict[str, float]]:
    """Return the standard deviations by quantity of noise and of offsets, the largest of axes."""
    sigmas: dict[str, float] = {}
    biases: dict[str, float] = {}
    for part in () if element is None else element:
        tag = local(part.tag)
        if tag not in _QUANTITIES:
            if tag != 'frame':
                notes.left_out(item, f'<{tag}> says nothing that is used')
            elif (part.text or '').strip() not in ('', 'child'):
                notes.left_out(item, f'frame {(part.text or "").strip()}: forces are taken in axes '
                                     'of the child')
            continue
        noises = [_of_axis(noise, f'{item}: {tag}', notes) for axis in children(part, 'x', 'y', 'z')
                 for noise in children(axis, 'noise')]
        if len(set(noises)) > 1:
            notes.changed(f'{item}: {tag}', 'the noise of its axes differs, the largest counts')
        if noises:
            sigmas[_QUANTITIES[tag]] = max(sigma for sigma, _ in noises)
            biases[_QUANTITIES[tag]] = max(bias for _, bias in noises)
    return ({key: one for key, one in sigmas.items() if one},
            {key: one for key, one in biases.items() if one})


def _of_axis(noise: Element, item: str, notes: Notes) -> tuple[float, float]:
    """Return (standard deviation, of the offset) of a <noise>: a known mean counts as offset."""
    sigma, mean, bias_mean, bias = (number(text_of(noise, tag), notes, f'{item}: {tag}', 0.0)
                                    for tag in ('stddev', 'mean', 'bias_mean', 'bias_stddev'))
    if number(text_of(noise, 'dynamic_bias_stddev'), notes, item, 0.0):
        notes.left_out(item, 'dynamic_bias_stddev: offsets are taken for constant')
    return at_least_zero(sigma, notes, f'{item}: stddev'), hypot(mean, bias_mean, bias)
