"""Configurations of rviz: one of each launch file, with the camera in front of the mechanism."""

from math import hypot, pi

import numpy as np
import yaml

from mb_bringup.arguments import SHARE
from mb_evaluation.robot import upright
from mb_evaluation.scene import Solids
from mb_model import point_places

DISTANCE = 1.6              # of the camera, in the mechanism's size
FRONT, ABOVE = 0.25, 1.5    # pitch of the camera [rad]
YAW = 1.5 * pi              # x to the right


def configuration_of(name, mechanism):
    """Return the configuration of a launch file, as text, with a view of a Mechanism."""
    configuration = yaml.safe_load((SHARE / 'rviz' / f'{name}.rviz').read_text())
    configuration['Visualization Manager']['Views']['Current'] |= view_of(mechanism)
    return yaml.safe_dump(configuration, sort_keys=False)


def view_of(mechanism):
    """Return where rviz's camera looks to see a Mechanism: entries of its orbiting view."""
    places = point_places(mechanism, mechanism.q0)[0]
    x, y = 0.5 * (places.min(axis=0) + places.max(axis=0))
    stand = upright(mechanism.gravity)
    c, s = np.cos(stand.pitch), np.sin(stand.pitch)
    focus = (x, y, 0.0) if stand.roll == 0.0 else (c * x + s * y, 0.0, c * y - s * x)
    size = max(Solids(mechanism).size, hypot(*np.ptp(places, axis=0)))
    return {'Distance': round(float(DISTANCE * size), 3),
            'Focal Point': dict(zip('XYZ', (round(float(k), 3) for k in focus), strict=True)),
            'Pitch': ABOVE if stand.roll == 0.0 else FRONT, 'Yaw': round(YAW, 3)}
