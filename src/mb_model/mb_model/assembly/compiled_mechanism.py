"""What circuits, formulations and pictures take: a Mechanism, which is above most of them."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.freedom import Freedom
from mb_model.mechanism_file.description import Description, Point


class CompiledMechanism(Protocol):
    """The description and the compiled model of a mechanism; see Mechanism."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def file(self) -> str:
        """Its file, for messages."""

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""

    @property
    def described(self) -> Description:
        """What the file says."""

    @property
    def freedom(self) -> Freedom:
        """How free it is, and its size."""

    @property
    def points(self) -> Mapping[str, Point]:
        """Points by name, in the order of the file."""

    @property
    def coordinates(self) -> Sequence[str]:
        """Names of the coordinates (n)."""

    @property
    def independent(self) -> Sequence[str]:
        """Names of the degrees of freedom (g)."""

    @property
    def model(self) -> RecordArray:
        """One record, see mb_model.record."""

    @property
    def is_sparse(self) -> bool:
        """Whether its matrices are stored without their zeros."""

    @property
    def rolling(self) -> Sequence[str]:
        """Names of the joints on which a body rolls."""

    @property
    def n(self) -> int:
        """Number of coordinates."""

    @property
    def m(self) -> int:
        """Number of equations."""

    @property
    def g(self) -> int:
        """Number of degrees of freedom."""

    @property
    def z0(self) -> FloatArray:
        """Degrees of freedom at the start (g)."""

    @property
    def zd0(self) -> FloatArray:
        """Their rates (g)."""

    @property
    def lacks_mass(self) -> bool:
        """Whether a motion moves no mass at the start."""

    @property
    def circuit(self) -> Any:
        """The hydraulic Circuit, None without one."""

    def workspace(self) -> RecordArray:
        """Return a new workspace for kernels."""

    def assemble(self, z: ArrayLike, near: ArrayLike | None = None, t: float = 0.0) -> FloatArray:
        """Return q (n) with the degrees of freedom z (g)."""
