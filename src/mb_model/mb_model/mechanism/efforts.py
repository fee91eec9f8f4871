"""Drives whose friction grows with their load: what such a mechanism has to be like."""

from mb_model.forces.kinds.load_friction import by_load
from mb_model.mechanism_file.description import Description, MechanismError


def require_drives(described: Description) -> None:
    """Raise MechanismError unless friction by load is on degrees of freedom, each of its own.

    The load that a drive passes on follows from the known force on its coordinate without a system
    of equations there only; cylinders have friction by their pressures.
    """
    found: dict[str, str] = {}
    for name in by_load(described.forces):
        coordinate = described.forces[name].coordinate
        path = f'{described.file}: forces.{name}'
        if coordinate not in (described.independent or ()):
            free = ', '.join(described.independent or ()) or 'none'
            raise MechanismError(f'{path}.coordinate: {coordinate} is no degree of freedom of the '
                                 f'mechanism, expected one of {free}')
        if coordinate in found:
            raise MechanismError(f'{path}.coordinate: {coordinate} has the friction of a drive '
                                 f'already, forces.{found[coordinate]}')
        if described.hydraulics is not None:
            raise MechanismError(f'{path}: friction by load is not for mechanisms with hydraulics, '
                                 'whose cylinders have friction by their pressures')
        found[coordinate] = name


def require_no_load_friction(described: Description, what: str) -> None:
    """Raise MechanismError where friction depends on forces that `what` does not know."""
    for name in by_load(described.forces):
        raise MechanismError(f'{described.file}: {what}: not for mechanisms with friction by load, '
                             f'here forces.{name}: it depends on the forces from outside')
