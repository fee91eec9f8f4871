"""What is for mechanisms in the plane, or for those in space, alone."""

from typing import Any

from mb_model.mechanism_file.description import MechanismError


def require_plane(mechanism: Any, what: str) -> None:
    """Raise MechanismError for a mechanism in space: `what` is known in the plane only."""
    if mechanism.dimension == 3:
        raise MechanismError(f'{mechanism.file}: {what}: only for mechanisms in the plane, not '
                             'with dimension: 3')


def require_space(mechanism: Any, what: str) -> None:
    """Raise MechanismError for a mechanism in the plane: `what` is known in space only."""
    if mechanism.dimension != 3:
        raise MechanismError(f'{mechanism.file}: {what}: only for mechanisms in space, those with '
                             'dimension: 3')
