"""Sensors and drives of a Machine as entries of a mechanism file."""

from collections.abc import Mapping
from typing import Any

from mb_import.machine import WORLD, LinkJoint, Machine, MachineSensor
from mb_import.mapping.joints import listed
from mb_import.mapping.lumps import Lumps
from mb_import.mapping.names import identifiers
from mb_import.notes import Notes
from mb_model.space_api import roll_pitch_yaw

_SIGMAS = {'angle': 1e-3, 'travel': 1e-4, 'rate': 2e-3, 'acceleration': 4e-2, 'position': 1e-2,
           'force': 0.5}         # where descriptions say nothing: rad, m, rad/s, m/s^2, m, N
TOPIC = 'joint_states'
_ENCODERS = {'revolute': ('angle_encoder', 'angle'), 'screw': ('angle_encoder', 'angle'),
             'prismatic': ('linear_encoder', 'travel')}


def actuated_joints(machine: Machine) -> list[str]:
    """Return the joints that a description says are driven."""
    driven = {name for drive in machine.drives.values() for name in drive.terms}
    return [name for name, joint in (machine.joints | machine.closures).items()
            if joint.is_scalar and (name in driven or joint.actuated)]


def encoder_entries(machine: Machine, lumps: Lumps, coordinates: Mapping[str, str],
                    notes: Notes) -> dict[str, dict[str, Any]]:
    """Return encoders by name: of the description, else of driven joints, else of all.

    All: what follows others, or holds a link without mass, has none.  coordinates: joint -> the
    name of its coordinate.
    """
    given = {sensor.joint: sensor for sensor in machine.sensors.values()
             if sensor.kind == 'encoder'}
    joints = machine.joints | machine.closures
    measured = [name for name in list(given) or actuated_joints(machine) or _all_measured(
        machine, lumps, coordinates, notes) if name in coordinates and joints[name].is_scalar]
    names = identifiers(f'{coordinates[name]}_encoder' for name in measured)
    entries = {}
    guessed: dict[str, list[str]] = {}
    for name in measured:
        kind, quantity = _ENCODERS[joints[name].kind]
        sensor, ours = given.get(name), coordinates[name]
        sigma = sensor.sigmas.get('angle', 0.0) if sensor else 0.0
        if not sigma > 0.0:
            sigma = _SIGMAS[quantity]
            guessed.setdefault(quantity, []).append(name)
        entries[names[f'{ours}_encoder']] = {
            'kind': kind, 'coordinate': ours, 'sigma': float(sigma), 'topic': TOPIC,
            'joint_name': name} | (
                {'rate': sensor.frequency} if sensor and sensor.frequency else {})
    for quantity, of in guessed.items():
        notes.guessed('encoders', f'noise of {_SIGMAS[quantity]:g} '
                                  f'{"rad" if quantity == "angle" else "m"}, which the description '
                                  f'does not say, of {", ".join(of)}')
    return entries


def _all_measured(machine: Machine, lumps: Lumps, coordinates: Mapping[str, str],
                  notes: Notes) -> list[str]:
    """Return joints with an encoder each, where a description names neither drives nor sensors."""
    follow = {next(iter(relation.terms)) for relation in machine.relations.values()}
    given = {lumps.of_link[name] for name, link in machine.links.items()
             if link.inertial is not None}
    weighed = {name for name, root in lumps.of_link.items() if root in {WORLD, *given}}
    if given <= {WORLD}:
        weighed |= set(machine.links)
    measured = [name for name, joint in (machine.joints | machine.closures).items()
                if joint.is_scalar and name not in follow and name in coordinates
                and weighed.issuperset(joint.links)]
    if measured:
        notes.guessed('encoders', 'the description names no drives and no sensors: one on each of '
                                  f'{", ".join(measured)}')
    return measured


def _sigma(sensor: MachineSensor, quantity: str, notes: Notes) -> float:
    """Return the standard deviation of a quantity, with a note where it is a guess."""
    if sensor.sigmas.get(quantity, 0.0) > 0.0:
        return float(sensor.sigmas[quantity])
    notes.guessed(f'sensor {sensor.name}', f'noise of its {quantity} is {_SIGMAS[quantity]:g}, '
                                           'which the description does not say')
    return _SIGMAS[quantity]


def link_sensor_entries(machine: Machine, lumps: Lumps, bodies: Mapping[str, str],
                        joints: Mapping[str, LinkJoint], names: Mapping[str, str],
                        notes: Notes) -> dict[str, dict[str, Any]]:
    """Return sensors on links by name.

    bodies: root of a body -> its name; joints: of the mechanism, by their names in the
    description, names: in the file.
    """
    entries: dict[str, dict[str, Any]] = {}
    given = [sensor for sensor in machine.sensors.values() if sensor.kind != 'encoder']
    for sensor, ours in zip(given, identifiers(one.name for one in given).values(), strict=True):
        item = f'sensor {sensor.name}'
        if sensor.kind == 'force_torque':
            if sensor.joint not in joints:
                notes.left_out(item, 'a force-torque sensor in what is one body')
                continue
            entries[ours] = {'kind': 'force_torque', 'joint': names[sensor.joint],
                             'sigma': _sigma(sensor, 'force', notes)}
            continue
        if sensor.pose is None or lumps.of_link[sensor.link] not in bodies:
            notes.left_out(item, 'it does not move')
            continue
        root, pose = lumps.in_body(sensor.link, sensor.pose)
        rpy = listed(roll_pitch_yaw(pose.turn))
        where = {'body': bodies[root], 'at': listed(pose.at)}
        parts = {'imu': ('gyroscope', 'accelerometer')}.get(sensor.kind, (sensor.kind,))
        for part in parts:
            quantity = {'gyroscope': 'rate', 'accelerometer': 'acceleration'}.get(part, part)
            name = ours if len(parts) == 1 else f'{ours}_{part}'
            entries[name] = {'kind': part} | ({'point': where} if part == 'position' else where) | {
                'sigma': _sigma(sensor, quantity, notes)}
            if part != 'position' and any(rpy):
                entries[name]['rpy'] = rpy
            if part == 'gyroscope':
                del entries[name]['at']
            if len(parts) > 1:
                entries[name]['topic'] = ours
            if sensor.frequency:
                entries[name]['rate'] = sensor.frequency
            if sensor.biases.get(quantity):
                entries[name]['bias_sigma'] = float(sensor.biases[quantity])
    return entries
