"""What mechanisms look like in space, for viewers and robot descriptions alike."""

from mb_bringup.scene.solids import Bar, Disc, Plate, Solids

__all__ = ['Bar', 'Disc', 'Plate', 'Solids']
