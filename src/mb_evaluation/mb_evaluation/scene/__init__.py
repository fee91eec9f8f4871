"""The shapes of mechanisms in space, for viewers and robot descriptions."""

from mb_evaluation.scene.motion import moved_on
from mb_evaluation.scene.solids import Bar, Disc, Plate, Solids, extent
from mb_evaluation.scene.sweeps import Sweep, sweeps
from mb_evaluation.scene.uncertainty import ellipses, point_covariances

__all__ = ['Bar', 'Disc', 'Plate', 'Solids', 'Sweep', 'ellipses', 'extent', 'moved_on',
           'point_covariances', 'sweeps']
