"""Where a mechanism starts: next to the poses or points of its file."""

from collections.abc import Callable
from typing import Any

from mb_model.assembly.start_distance import leaves_limits, start_distance
from mb_model.mechanism_file.description import (
    AssemblyError,
    Description,
    SingularPositionError,
)

_DRAWN = 1e-6           # the same, where poses are closed as drawn
_FAR = 0.5              # of bodies from their drawn poses, see start_distance.distance


def assemble_nearest(mechanism: Any, description: Description,
                     assemble: Callable[[Description], None]) -> None:
    """Assemble a mechanism where Newton's iteration from its poses leads, or nearer to them.

    The latter in space, in coordinates of its joints, where Newton's iteration fails or its result
    is doubtful.  assemble(description): assembles the mechanism next to the poses of a description;
    raises MechanismError.  Raises MechanismError.
    """
    failed = None
    try:
        assemble(description)
    except (AssemblyError, SingularPositionError) as error:
        if description.dimension != 3:
            raise
        failed = error
    if description.dimension != 3 or not (failed or is_doubtful(mechanism, description)):
        return
    # Imported here: most mechanisms are drawn closed.
    from mb_model.assembly.joint_starts import JointStarts
    starts = JointStarts(description)
    for start in starts.nearest(None if failed else mechanism):
        try:
            assemble(start)
            return
        except (AssemblyError, SingularPositionError):
            continue
    if failed:
        raise starts.in_words(failed)
    assemble(description)


def is_doubtful(mechanism: Any, description: Description) -> bool:
    """Return whether the start of a Mechanism is far from the drawn poses, or beyond limits.

    One that is drawn closed is meant so, even beyond limits.  description: as the file says it.
    Degrees of freedom with a start are moved there.
    """
    distance = start_distance(mechanism, description)
    return distance > _DRAWN and (leaves_limits(mechanism, mechanism.q0) or (
        not description.start and distance > _FAR))
