"""Transmissions: how the efforts of actuators act on the coordinates of joints, power being kept.

Of ROS 1 (<transmission> in <robot>) and ros2_control.  Source: transmission_interface of
ros2_control; efforts of four bars as since its pull request 1837.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mb_import.machine import Drive, LinkJoint
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import (
    at_least_zero,
    attribute,
    children,
    leave_out_others,
    local,
    named,
    text_of,
    value_of,
)
from mb_import.xml_text import Element, label, number

SIMPLE, DIFFERENTIAL, FOUR_BAR = ('SimpleTransmission', 'DifferentialTransmission',
                                  'FourBarLinkageTransmission')
_COUNTS = {SIMPLE: 1, DIFFERENTIAL: 2, FOUR_BAR: 2}      # of actuators, and of joints
_REDUCTIONS = 'mechanicalReduction', 'mechanical_reduction'
_INTERFACES = 'hardwareInterface', 'hardware_interface'


@dataclass(frozen=True)
class Transmissions:
    """drives; armatures: joint -> rotor inertia of its actuator, seen through the gear."""

    drives: dict[str, Drive]
    armatures: dict[str, float]


def read_transmissions(elements: Sequence[Element], joints: Mapping[str, LinkJoint],
                       notes: Notes) -> Transmissions:
    """Return what drives joints through transmissions; raises MechanismError."""
    drives: dict[str, Drive] = {}
    armatures: dict[str, float] = {}
    for element in elements:
        for drive, armature in _transmission(element, joints, notes):
            if drive.name in drives:
                raise notes.error(label(element), f'there are two actuators {drive.name}')
            drives[drive.name] = drive
            if armature and len(drive.terms) == 1:
                armatures[next(iter(drive.terms))] = armature
            elif armature:
                notes.left_out(label(element), 'rotor_inertia of an actuator of two joints')
    return Transmissions(drives, armatures)


def _transmission(element: Element, joints: Mapping[str, LinkJoint],
                  notes: Notes) -> list[tuple[Drive, float]]:
    """Return (drive, armature) of each actuator."""
    item = label(element)
    leave_out_others(element, ('name', 'type'),
                     ('type', 'plugin', 'joint', 'actuator', *_REDUCTIONS), notes, item)
    type_ = (attribute(element, 'type') or text_of(element, 'type') or text_of(element, 'plugin'))
    kind = type_.replace('::', '/').rpartition('/')[2]
    ends = {tag: sorted(children(element, tag), key=_role) for tag in ('actuator', 'joint')}
    if kind not in _COUNTS:
        notes.left_out(item, f'type {type_ or "without a name"} is none of {", ".join(_COUNTS)}')
        return []
    for tag, listed in ends.items():
        if len(listed) != _COUNTS[kind]:
            raise notes.error(item, f'{len(listed)} elements <{tag}>, expected {_COUNTS[kind]} of '
                                    f'a {kind}')
    names = [named(end, notes) for end in ends['joint']]
    for end, name in zip(ends['joint'], names, strict=True):
        if name not in joints or not joints[name].is_scalar:
            notes.left_out(item, f'there is no joint {name} with one coordinate')
            return []
        _note_offset(end, item, notes)
    return _driven(kind, ends['actuator'], ends['joint'], names, element, item, notes)


def _driven(kind: str, actuators: Sequence[Element], joints: Sequence[Element],
            names: Sequence[str], element: Element, item: str,
            notes: Notes) -> list[tuple[Drive, float]]:
    whole = _reduction(element, item, notes)
    of_actuators = [whole * _reduction(one, item, notes) for one in actuators]
    of_joints = [_reduction(one, item, notes) for one in joints]
    gears = _gears(kind, of_actuators, of_joints)
    commands = tuple(dict.fromkeys(
        command for joint in (*joints, *actuators) for command in _commands(joint)))
    driven = []
    for actuator, terms in zip(actuators, gears, strict=True):
        name = named(actuator, notes)
        leave_out_others(actuator, ('name', 'role'),
                         ('role', 'offset', 'rotor_inertia', 'gear_ratio', *_REDUCTIONS,
                          *_INTERFACES), notes, f'{item}: actuator {name}')
        armature = _armature(actuator, f'{item}: actuator {name}', notes)
        drive = Drive(name, {joint: gear for joint, gear in zip(names, terms, strict=True) if gear},
                      commands or ('effort',))
        driven.append((drive, armature))
    return driven


def _gears(kind: str, actuators: Sequence[float],
           joints: Sequence[float]) -> list[tuple[float, ...]]:
    """Return the effort on each joint (columns) of unit effort of each actuator (rows).

    Transposed it takes rates of joints to rates of actuators, so power is kept.
    """
    if kind == SIMPLE:
        return [(actuators[0] * joints[0],)]
    (a1, a2), (j1, j2) = actuators, joints
    if kind == DIFFERENTIAL:
        return [(j1 * a1, j2 * a1), (j1 * a2, -j2 * a2)]
    return [(j1 * a1, 0.0), (a2, j2 * a2)]


def _role(element: Element) -> str:
    """Return which of two actuators or joints one is: actuator1, joint2."""
    return attribute(element, 'role') or text_of(element, 'role')


def _reduction(element: Element, item: str, notes: Notes) -> float:
    text = next((listed for tag in _REDUCTIONS if (listed := text_of(element, tag))), None)
    value = number(text, notes, f'{item}: {local(element.tag)}: mechanical reduction', 1.0)
    if not value:
        raise notes.error(item, 'mechanical reduction: 0 must be another number')
    return value


def _note_offset(joint: Element, item: str, notes: Notes) -> None:
    leave_out_others(joint, ('name', 'role'), ('role', 'offset', *_REDUCTIONS, *_INTERFACES),
                     notes, f'{item}: {label(joint)}')
    if number(text_of(joint, 'offset'), notes, f'{item}: offset', 0.0):
        notes.left_out(f'{item}: {label(joint)}', 'offset: it calibrates an encoder')


def _commands(element: Element) -> list[str]:
    """Return effort, velocity or position of hardware_interface/EffortJointInterface."""
    texts = [(child.text or '').lower() for child in children(element, *_INTERFACES)]
    return [command for text in texts for command in ('effort', 'velocity', 'position')
            if command in text]


def _armature(actuator: Element, item: str, notes: Notes) -> float:
    """Return rotor inertia times the gear ratio squared, as Drake writes them [kg m^2]."""
    inertia, gear = (value_of(actuator, tag, notes, item, default)
                     for tag, default in (('rotor_inertia', 0.0), ('gear_ratio', 1.0)))
    return at_least_zero(inertia, notes, f'{item}: rotor_inertia') * gear * gear
