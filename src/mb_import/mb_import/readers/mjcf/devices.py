"""Actuators and sensors of an MJCF file."""

from collections.abc import Collection
from dataclasses import replace

from mb_import.machine import Drive, LinkJoint, MachineSensor
from mb_import.notes import Notes
from mb_import.readers.mjcf.equalities import terms_of
from mb_import.readers.mjcf.names import Names, numbered
from mb_import.readers.mjcf.poses import pose_of
from mb_import.readers.mjcf.records import Compiled, SensorRecord
from mb_import.readers.mjcf.tree import Tree
from mb_model.space_api import Pose

_GEARED = {'joint': 'joint', 'jointinparent': 'joint', 'tendon': 'tendon'}
_IN_LINKS = {'gyro': ('gyroscope', 'rate'), 'accelerometer': ('accelerometer', 'acceleration'),
             'framepos': ('position', 'position'), 'force': ('force_torque', 'force'),
             'torque': ('force_torque', 'torque')}


def driven_joints(compiled: Compiled) -> Collection[int] | None:
    """Return the joints that actuators drive, None if there are no actuators."""
    if not compiled.actuators:
        return None
    driven: set[int] = set()
    for one in compiled.actuators:
        if _GEARED.get(one.on) == 'joint':
            driven.add(one.target)
        elif one.on == 'tendon':
            driven |= {joint for joint, _ in compiled.tendons[one.target].terms}
    return driven


def used_joints(compiled: Compiled) -> set[int]:
    """Return the joints that equalities, actuators, tendons or sensors refer to."""
    used = {*(driven_joints(compiled) or ())}
    used |= {joint for tendon in compiled.tendons for joint, _ in tendon.terms}
    used |= {joint for one in compiled.equalities if one.kind == 'joint'
             for joint in (one.first, one.second)}
    return used | {one.target for one in compiled.sensors if one.on == 'joint'}


def drives_of(compiled: Compiled, tree: Tree, notes: Notes) -> dict[str, Drive]:
    """Return the drives by name: actuators whose gear acts on hinges and slides."""
    drives: dict[str, Drive] = {}
    names = numbered([one.name for one in compiled.actuators], 'actuator')
    for name, one in zip(names, compiled.actuators, strict=True):
        item = f'actuator {name}'
        terms = terms_of(compiled, tree, _GEARED.get(one.on, ''), one.target)
        if not terms or not one.gear:
            notes.left_out(item, f'it acts on a {one.on}, expected hinges and slides'
                           if not terms else 'gear 0')
            continue
        command = one.command or 'effort'
        if not one.command:
            notes.changed(item, 'its own law of force is not read: it takes an effort')
        elif command != 'effort':
            notes.changed(item, f'it takes {command}; its gains are not read')
        for key in ('armature', 'damping'):
            if getattr(one, key):
                notes.left_out(item, f'{key} {getattr(one, key):g} of an actuator')
        drives[name] = Drive(name, {tree.scalar[joint]: one.gear * value for joint, value in terms},
                             (command,))
    return drives


def with_efforts(compiled: Compiled, tree: Tree, joints: dict[str, LinkJoint]) -> dict[
        str, LinkJoint]:
    """Return joints with the largest effort of the one actuator that drives each of them."""
    drives: dict[int, list[float | None]] = {}
    for one in compiled.actuators:
        for joint, value in terms_of(compiled, tree, _GEARED.get(one.on, ''), one.target) or ():
            drives.setdefault(joint, []).append(
                None if one.effort is None else abs(one.effort * one.gear * value))
    limited = dict(joints)
    for joint, efforts in drives.items():
        name = tree.scalar[joint]
        known = [effort for effort in efforts if effort is not None]
        if len(known) == len(efforts) and limited[name].effort is None:
            limited[name] = replace(limited[name], effort=sum(known))
    return limited


def sensors_of(compiled: Compiled, tree: Tree, names: Names,
               notes: Notes) -> dict[str, MachineSensor]:
    """Return the sensors by name: a force and a torque at one site are one sensor."""
    sensors: dict[str, MachineSensor] = {}
    mountings: dict[tuple[str, str, int], str] = {}
    called = numbered([one.name for one in compiled.sensors], 'sensor')
    for name, one in zip(called, compiled.sensors, strict=True):
        made = _sensor(compiled, tree, names, name, one)
        if made is None:
            notes.left_out(f'sensor {name}', f'{one.kind} of a {one.on or "model"}'
                                             f'{" in another frame" * one.relative}')
            continue
        mounting = made.kind, one.on, one.target
        other = mountings.setdefault(mounting, name)
        if other == name:
            sensors[name] = made
        elif made.kind in ('encoder', 'force_torque'):
            sensors[other] = replace(sensors[other], sigmas={**sensors[other].sigmas,
                                                             **made.sigmas})
        else:
            sensors[name] = made
    for name, sensor in list(sensors.items()):
        if sensor.kind == 'encoder' and not any(
                one.kind == 'jointpos' and tree.scalar.get(one.target) == sensor.joint
                for one in compiled.sensors):
            notes.left_out(f'sensor {name}', 'jointvel without jointpos: no sensor measures a rate '
                                             'of a joint alone')
            del sensors[name]
    return sensors


def _sensor(compiled: Compiled, tree: Tree, names: Names, name: str,
            one: SensorRecord) -> MachineSensor | None:
    frequency = 1.0 / one.interval if one.interval > 0.0 else None
    if one.kind in ('jointpos', 'jointvel') and one.target in tree.scalar:
        quantity = 'angle' if one.kind == 'jointpos' else 'rate'
        return MachineSensor(name, 'encoder', joint=tree.scalar[one.target], frequency=frequency,
                             sigmas=_sigmas(quantity, one.noise))
    mounting = _mounting(compiled, one)
    if one.kind not in _IN_LINKS or one.relative or mounting is None:
        return None
    kind, quantity = _IN_LINKS[one.kind]
    body, pose = mounting
    return MachineSensor(name, kind, names.bodies[body], pose=pose, frequency=frequency,
                         joint=tree.carrier.get(body, '') if kind == 'force_torque' else '',
                         sigmas=_sigmas(quantity, one.noise))


def _mounting(compiled: Compiled, one: SensorRecord) -> tuple[int, Pose] | None:
    """Return (body, pose in it) of what a sensor is on, None of others."""
    if one.on == 'site':
        site = compiled.sites[one.target]
        return site.body, pose_of(site.pos, site.quat)
    if one.on == 'geom':
        geom = compiled.geoms[one.target]
        return geom.body, pose_of(geom.pos, geom.quat)
    if one.on in ('body', 'xbody'):
        body = compiled.bodies[one.target]
        at = body.centre if one.on == 'body' else [0.0, 0.0, 0.0]
        return one.target, pose_of(at, [1.0, 0.0, 0.0, 0.0])
    return None


def _sigmas(quantity: str, noise: float) -> dict[str, float]:
    return {quantity: noise} if noise > 0.0 else {}
