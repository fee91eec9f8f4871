"""A mechanism put into positions by coordinates other than its independent ones."""

from dataclasses import replace

from mb_model.assembly.assembly import Assembly
from mb_model.compilation.compilation import compile_model
from mb_model.mechanism_file.description import MechanismError


def driven_assembly(freedom, names, storage, work):
    """Return (Assembly, model) in which the coordinates by name (g) are the independent ones.

    freedom: the Freedom of the mechanism, work: a workspace of it.  Raises MechanismError.
    """
    description = freedom.description
    g = len(description.independent)
    if len(set(names)) != g or len(names) != g:
        raise MechanismError(f'{description.file}: {", ".join(names)}: must be {g} coordinates, as '
                             'many as degrees of freedom')
    driven = replace(freedom, description=replace(description, independent=names))
    model, equations = compile_model(driven.description, storage, freedom.redundant)
    return Assembly(driven, model, equations, work), model
