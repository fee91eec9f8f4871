"""What MJCF has beside bodies, joints and loops: tendons as struts, sensors, actuators."""

import numpy as np

from mb_import.machine import Machine
from mb_import.notes import Notes
from mb_import.writers.text import Element, add, text_of
from mb_model.space_api import Pose

_TAGS = {'gyroscope': ('gyro', 'rate'), 'accelerometer': ('accelerometer', 'acceleration'),
         'position': ('framepos', 'position'), 'force_torque': ('force', 'force')}


def device_sites(machine: Machine) -> dict[str, dict[str, Pose]]:
    """Return link -> the ends of struts and the frames of sensors on it by name."""
    sites: dict[str, dict[str, Pose]] = {}
    for strut in machine.struts.values():
        for k, (link, point) in enumerate(zip(strut.links, strut.points, strict=True)):
            sites.setdefault(link, {})[f'{strut.name}_end_{k}'] = Pose(point, np.eye(3))
    for sensor in machine.sensors.values():
        if sensor.pose is not None:
            sites.setdefault(sensor.link, {})[f'{sensor.name}_site'] = sensor.pose
    return sites


def add_struts(tendons: Element, machine: Machine) -> None:
    """Add a spatial tendon of each strut."""
    for strut in machine.struts.values():
        numbers = {'stiffness': strut.stiffness, 'damping': strut.damping,
                   'frictionloss': strut.friction}
        rest = {'springlength': text_of(strut.rest)} if strut.stiffness else {}
        tendon = add(tendons, 'spatial', name=strut.name, **rest, **{
            key: text_of(value) for key, value in numbers.items() if value})
        for k in range(2):
            add(tendon, 'site', site=f'{strut.name}_end_{k}')


def add_devices(root: Element, machine: Machine, notes: Notes) -> None:
    """Add sensors and motors; a note where a sensor has more than MJCF says."""
    actuators, sensors = add(root, 'actuator'), add(root, 'sensor')
    for drive in machine.drives.values():
        for joint, gear in drive.terms.items():
            add(actuators, 'motor', name=drive.name, joint=joint, gear=text_of(gear))
    for one in machine.sensors.values():
        tag, quantity = _TAGS.get(one.kind, ('jointpos', 'angle'))
        sigma = one.sigmas.get(quantity, 0.0)
        noise = {'noise': text_of(sigma)} if sigma else {}
        where = ({'joint': one.joint} if tag == 'jointpos' else
                 {'objtype': 'site', 'objname': f'{one.name}_site'} if tag == 'framepos' else
                 {'site': f'{one.name}_site'})
        add(sensors, tag, name=one.name, **where, **noise)
        more = [f'rate {one.frequency:g} Hz'] if one.frequency else []
        more += [f'offset of {key}' for key in one.biases]
        if more:
            notes.left_out(f'sensors.{one.name}', f'{", ".join(more)}: MJCF has none')
    for element in (actuators, sensors):
        if not len(element):
            root.remove(element)
