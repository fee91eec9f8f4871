"""Which joints of a URDF are driven, by what."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from mb_import.machine import Drive, LinkJoint
from mb_import.notes import Notes
from mb_import.readers.urdf.ros2_control import Interfaces


def drives_of(interfaces: Interfaces, drives: Mapping[str, Drive]) -> dict[str, Drive]:
    """Return a Drive of each commanded joint that no transmission drives, named as the joint.

    drives: of transmissions, which take what the interfaces of their joints take.
    """
    driven = {joint for drive in drives.values() for joint in drive.terms}
    direct = {joint: Drive(joint, {joint: 1.0}, commands)
              for joint, commands in interfaces.commands.items() if joint not in driven}
    through = {}
    for name, drive in drives.items():
        taken = dict.fromkeys(command for joint in drive.terms
                              for command in interfaces.commands.get(joint, ()))
        through[name] = Drive(name, drive.terms, tuple(taken) or drive.commands)
    return {**through, **direct}


def actuated(joints: Mapping[str, LinkJoint], drives: Mapping[str, Drive],
             motors: Collection[str] | None, interfaces: Collection[str],
             notes: Notes) -> dict[str, LinkJoint]:
    """Return the joints with what is said of their actuation.

    motors: joints of a list that has all motors, None without; interfaces: joints that hardware
    knows, which are not driven unless a drive says so.
    """
    for motor in motors or ():
        if motor not in joints:
            notes.left_out(f'name_mot {motor}', 'there is no joint of this name')
    driven = {joint for drive in drives.values() for joint in drive.terms} | set(motors or ())
    silent = set(joints if motors is not None else interfaces)
    return {name: replace(joint, actuated=True) if name in driven and joint.is_scalar
            else replace(joint, actuated=False) if name in silent and joint.is_scalar else joint
            for name, joint in joints.items()}
