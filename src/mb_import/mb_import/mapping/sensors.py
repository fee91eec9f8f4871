"""Sensors and drives of a Machine as entries of a mechanism file."""

from collections.abc import Mapping
from typing import Any

from mb_import.machine import LinkJoint, Machine, MachineSensor
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


def encoder_entries(machine: Machine, coordinates: Mapping[str, str],
                    notes: Notes) -> dict[str, dict[str, Any]]:
    """Return encoders by name: sensors of the description, else of driven joints, else of all.

    coordinates: joint -> the name of its coordinate.
    """
    given = {sensor.joint: sensor for sensor in machine.sensors.values()
             if sensor.kind == 'encoder'}
    joints = machine.joints | machine.closures
    measured = list(given) or actuated_joints(machine)
    if not measured:
        follow = {next(iter(relation.terms)) for relation in machine.relations.values()}
        measured = [name for name, joint in joints.items()
                    if joint.is_scalar and name not in follow and name in coordinates]
        if measured:
            notes.guessed('encoders', 'the description names no drives and no sensors: one on each '
                                      f'of {", ".join(measured)}')
    measured = [name for name in measured if name in coordinates and joints[name].is_scalar]
    names = identifiers(f'{coordinates[name]}_encoder' for name in measured)
    entries = {}
    for name in measured:
        kind, quantity = _ENCODERS[joints[name].kind]
        sensor = given.get(name)
        ours = coordinates[name]
        entries[names[f'{ours}_encoder']] = {
            'kind': kind, 'coordinate': ours,
            'sigma': _sigma(sensor, quantity, f'joint {name}', notes), 'topic': TOPIC,
            'joint_name': name} | (
                {'rate': sensor.frequency} if sensor and sensor.frequency else {})
    return entries


def _sigma(sensor: MachineSensor | None, quantity: str, item: str, notes: Notes) -> float:
    """Return the standard deviation of a quantity, with a note where it is a guess."""
    key = 'angle' if quantity == 'travel' else quantity
    if sensor is not None and sensor.sigmas.get(key, 0.0) > 0.0:
        return float(sensor.sigmas[key])
    notes.guessed(item, f'noise of its {quantity} is {_SIGMAS[quantity]:g}, which the description '
                        'does not say')
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
                             'sigma': _sigma(sensor, 'force', item, notes)}
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
            entries[name] = {'kind': part} | where | {
                'sigma': _sigma(sensor, quantity, item, notes)}
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
