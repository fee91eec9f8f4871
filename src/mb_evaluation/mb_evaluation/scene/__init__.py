"""The shapes of mechanisms in space, for viewers and robot descriptions."""

from mb_evaluation.scene.ellipses import ellipses, point_covariances
from mb_evaluation.scene.extent import extent
from mb_evaluation.scene.motion import moved_on
from mb_evaluation.scene.solids import Bar, Disc, Plate, Solids
from mb_evaluation.scene.sweeps import Sweep, sweeps

__all__ = ['Bar', 'Disc', 'Plate', 'Solids', 'Sweep', 'ellipses', 'extent', 'moved_on',
           'point_covariances', 'sweeps']
