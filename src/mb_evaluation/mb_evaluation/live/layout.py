"""The layout of the live view: the machine on the left, plots on the right."""

from typing import Any

import numpy as np

from mb_evaluation.live.server import rerun
from mb_evaluation.robot import in_world, standing_quaternion
from mb_model import Mechanism

MACHINE = 'machine'         # entities: what is drawn in space
LOG = 'log'                 # what nodes complain of
PLOTS = {                   # title of each plot, by the entity above its curves
    'motion': 'degrees of freedom', 'error': 'error of the observer, 95 % claimed',
    'nis': 'NIS per channel: 1 if consistent', 'mass': 'masses [kg]',
    'force': 'forces from outside [N, N m]', 'probability': 'probabilities'}
AWAY = 1.6                  # of the eye, in sizes of the mechanism
BACKGROUND = (245, 247, 250)


def layout(mechanism: Mechanism, size: float, centre: np.ndarray, weighs: bool = False) -> Any:
    """Return the blueprint for a Mechanism; size [m], centre (3) [m]: of its workspace.

    weighs: whether its filter weighs hypotheses.
    """
    blueprint = rerun().blueprint
    x, y, z = in_world(mechanism, centre)
    eye = blueprint.EyeControls3D(
        position=(x, y - AWAY * size, z + 0.25 * size), look_target=(x, y, z),
        eye_up=(0.0, 0.0, 1.0))
    space = blueprint.Spatial3DView(
        origin='/', contents=[f'/{MACHINE}/**'], name=mechanism.name, eye_controls=eye,
        background=BACKGROUND, line_grid=False)
    shown = ['motion', 'error', 'nis', *(['mass'] if mechanism.circuit else []),
             *(['force'] if mechanism.drives and not mechanism.circuit else []),
             *(['probability'] if weighs else [])]
    plots = [blueprint.TimeSeriesView(origin=f'/{name}', name=PLOTS[name]) for name in shown]
    return blueprint.Blueprint(
        blueprint.Horizontal(
            blueprint.Vertical(space, blueprint.TextLogView(origin=f'/{LOG}', name='complaints'),
                               row_shares=(5.0, 1.0)),
            blueprint.Vertical(*plots), column_shares=(1.2, 1.0)),
        collapse_panels=True)


def standing(mechanism: Mechanism) -> Any:
    """Return the transform that puts a mechanism upright into the world, for MACHINE."""
    sdk = rerun()
    return sdk.Transform3D(quaternion=sdk.Quaternion(xyzw=standing_quaternion(mechanism.gravity)))
