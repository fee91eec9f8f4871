"""Configurations of rviz: one of each launch file, with the camera in front of the mechanism."""

from math import pi

import numpy as np
import yaml

from mb_bringup.arguments import SHARE
from mb_evaluation.robot import world_place
from mb_evaluation.scene import extent

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
    size, least, greatest = extent(mechanism)
    focus = world_place(mechanism, 0.5 * (least + greatest))
    level = mechanism.dimension == 2 and not np.any(mechanism.gravity)
    size = max(size, float(np.linalg.norm(greatest - least)))
    return {'Distance': round(DISTANCE * size, 3),
            'Focal Point': dict(zip('XYZ', (round(float(k), 3) for k in focus), strict=True)),
            'Pitch': ABOVE if level else FRONT, 'Yaw': round(YAW, 3)}
