"""What is seen of mechanisms, for viewers and robot descriptions: solids, points, forces."""

from mb_evaluation.scene.points import MarkedPoints, extent, moved_on
from mb_evaluation.scene.solids import PIECES, Solid, Solids
from mb_evaluation.scene.sweeps import Sweep, sweeps

__all__ = ['PIECES', 'MarkedPoints', 'Solid', 'Solids', 'Sweep', 'extent', 'moved_on', 'sweeps']
