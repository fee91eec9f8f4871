"""Permissible forces of a robot on a person.

ISO/TS 15066:2016 is part of ISO 10218-2:2025 now.  Forces only: the standard limits pressures, too,
which depend on the shapes that meet.  All values are from memory and were not checked against a
copy of the standard: check them before you rely on them.
"""

from typing import NamedTuple

QUASI_STATIC, TRANSIENT = 'quasi-static', 'transient'
LONGEST_TRANSIENT = 0.5      # a force that lasts longer is quasi-static [s]; ISO/TS 15066:2016


class BodyLimit(NamedTuple):
    """The largest permissible forces on one region of the human body [N].

    quasi_static: while it is clamped; transient: of a blow after which it can yield, None if no
    contact is permissible.
    Source: ISO/TS 15066:2016, Table A.2; transient: twice the quasi-static force.
    """

    region: str
    quasi_static: float
    transient: float | None

    def of(self, kind: str) -> float:
        """Return the limit of a kind of contact, QUASI_STATIC or TRANSIENT [N]; 0: none at all."""
        return self.quasi_static if kind == QUASI_STATIC else self.transient or 0.0


BODY_LIMITS = (
    BodyLimit('skull and forehead', 130.0, None),
    BodyLimit('face', 65.0, None),
    BodyLimit('neck', 150.0, 300.0),
    BodyLimit('back and shoulders', 210.0, 420.0),
    BodyLimit('chest', 140.0, 280.0),
    BodyLimit('abdomen', 110.0, 220.0),
    BodyLimit('pelvis', 180.0, 360.0),
    BodyLimit('upper arms and elbows', 150.0, 300.0),
    BodyLimit('lower arms and wrists', 160.0, 320.0),
    BodyLimit('hands and fingers', 140.0, 280.0),
    BodyLimit('thighs and knees', 220.0, 440.0),
    BodyLimit('lower legs', 130.0, 260.0),
)
