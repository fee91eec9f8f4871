"""Bodies whose mass a file does not say: their mechanism has kinematics, and no dynamics."""

from typing import Any

from mb_model.mechanism_file.description import Description, MechanismError


def require_no_inertia(entries: Any, path: str, value: dict[str, Any]) -> None:
    """Raise MechanismError if the entry of a body without a mass has what goes with one."""
    for key in ('inertia', 'centre_of_gravity', 'flexible'):
        if key in value:
            entries.fail(f'{path}.mass', f'missing, it goes with {key}')


def require_masses(described: Description, what: str) -> None:
    """Raise MechanismError unless the file says the mass of every body; what: needs them."""
    if unweighed := described.unweighed:
        raise MechanismError(f'{described.file}: {what}: no mass of bodies.'
                             f'{", bodies.".join(unweighed)}, so there are kinematics alone')
