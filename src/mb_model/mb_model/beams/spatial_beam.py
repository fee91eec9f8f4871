"""A beam in space that bends in two planes and twists: what it consists of.

As a Beam in the plane, with mode vectors w_k = q_y v + q_z w across the chord, v and w being the y
and z axes of the frame that floats with it,

    r(x) = (1 - x / L) A + (x / L) B + sum_k phi_k(x) w_k

is linear in A, B and w_k, so that the mass matrix of these is that in the plane, for x, y and z
alike.  Both planes have the same shapes.  Torsion turns v into v + sum_k psi_k tau_k w and w into
w - sum_k psi_k tau_k v, which have half of the inertia about the axis each: that is constant, too.
Sections have no rotary inertia but about the axis (Euler and Bernoulli).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mb_model.beams.beam import Beam
from mb_model.beams.torsion import Torsion


@dataclass(frozen=True)
class ModeSpring:
    """A mode of a beam: its name, unit ('m' or 'rad'), stiffness and damping, across which axis."""

    name: str
    unit: str
    stiffness: float
    damping: float
    axis: str = ''                   # it moves along, 'y' or 'z'; '': it twists
    number: int = 0                  # of its shape


@dataclass(frozen=True)
class SpatialBeam:
    """Bending by the axis of the deflection, 'y' or 'z' or both, torsion, inertia about the axis.

    The Beams differ in stiffness alone; axial_inertia: of the whole beam [kg m^2].
    """

    bending: Mapping[str, Beam]
    axial_inertia: float
    torsion: Torsion | None = None

    @property
    def shape(self) -> Beam:
        """The Beam whose shapes, lengths and masses both planes have."""
        return next(iter(self.bending.values()))

    @property
    def springs(self) -> tuple[ModeSpring, ...]:
        """The modes, bending first."""
        bending = [ModeSpring(f'mode{k + 1}.{axis}', 'm', float(beam.stiffness[k]),
                              float(beam.damping[k]), axis, k)
                   for k in range(self.shape.modes) for axis, beam in self.bending.items()]
        twisting = [] if self.torsion is None else [
            ModeSpring(f'twist{k + 1}', 'rad', float(self.torsion.stiffness[k]),
                       float(self.torsion.damping[k]), number=k)
            for k in range(self.torsion.modes)]
        return (*bending, *twisting)
