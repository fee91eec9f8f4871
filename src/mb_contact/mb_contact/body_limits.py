"""Forces that a person may be touched with by a robot."""

from typing import NamedTuple


class BodyLimit(NamedTuple):
    """The largest permissible forces on one region of the human body [N].

    quasi_static: while it is clamped; transient: of a blow after which it can give way, None where
    no contact is permissible at all.
    Source: ISO/TS 15066:2016, Table A.2; transient: twice the quasi-static force.
    """

    region: str
    quasi_static: float
    transient: float | None


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
