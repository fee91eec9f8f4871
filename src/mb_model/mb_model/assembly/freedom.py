"""How free a mechanism is: which constraints it needs, which coordinates are independent.

Where the file names as many independent coordinates as there are coordinates beyond constraints,
there is nothing to decide.  Else the constraints are linearised in the start position: what
others imply is left out, and independent coordinates that the file does not name are chosen.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.added_coordinates import AddedCoordinates
from mb_model.assembly.closing import nearest_to_closing, scaled_jacobian
from mb_model.assembly.guess import start_guess
from mb_model.assembly.independent_rows import RANK, independent_keys, null_projector
from mb_model.assembly.rounded_axes import rounded_hint
from mb_model.compilation.compilation import compile_model
from mb_model.compilation.equations import equations_of
from mb_model.compilation.layout import layout_of
from mb_model.constraints.equation import Equation
from mb_model.kernels import entry_points
from mb_model.mechanism_file.description import (
    AssemblyError,
    Description,
    MechanismError,
    SingularPositionError,
)
from mb_model.record.sparse import work_for
from mb_model.registry.constraints import EQUATIONS
from mb_model.space.equation import SpatialEquation

CLOSED = 1e-6       # a violation below this share of the mechanism's size counts as closed
_ROUNDED = 1e-2     # the same, and the violation, of numbers that are rounded in the file
_SINGULAR = 1e-6    # the least singular value against the largest, where a position is singular
_LARGEST = 1000     # coordinates and constraints to choose among: the time grows as their cube
_PART = 0.1         # of the largest share of an equation in what is singular


@dataclass(frozen=True)
class Freedom:
    """The mechanism with its independent coordinates, the redundant equations, where to start."""

    description: Description
    redundant: frozenset[int]      # indices in the list of all equations
    guess: np.ndarray              # q (n) near the start position, what is independent is there
    names: tuple[str, ...]         # of q
    size: float                    # of the mechanism [m], see compilation.layout
    chosen: bool                   # whether the file does not name independent coordinates
    layout: Any                    # of the description, see compilation.layout; None once compiled


def freedom_of(description: Description, storage: str | None = None, near: FloatArray | None = None,
               chosen: bool = False) -> Freedom:
    """Return the Freedom of a mechanism; raises MechanismError if its counts do not fit.

    chosen: whether independent coordinates are no longer the file's, for messages.
    storage: see compile_model.  near: q (n) where to look at the constraints' Jacobian in any case;
    else this is done, at the start of the points, where the counts leave something to decide.
    """
    layout = layout_of(description)
    names, given = layout.names, description.independent
    for key, named in (('independent', given or ()), ('start', description.start),
                       ('start_velocity', description.start_velocity)):
        for name in named:
            if name not in names:
                raise MechanismError(f'{description.file}: {key}: {name!r}: unknown coordinate, '
                                     f'expected one of {", ".join(names)}')
    compiled = _compiled(description, layout, storage) if description.dimension == 3 else None
    equations = compiled[1] if compiled else equations_of(description, layout)
    guess = start_guess(description, layout, equations, compiled and compiled[0])
    rows = sum(equation.rows for equation in equations)
    if near is None and given is not None and len(given) == len(names) - rows:
        return Freedom(description, frozenset(), guess, tuple(names), layout.size, False, layout)
    if near is None and max(rows, len(names)) > _LARGEST:
        raise MechanismError(
            f'{description.file}: independent: with {len(names)} coordinates and {rows} '
            f'constraints, {len(names) - rows} coordinates must be named: to choose them, or find '
            f'redundant constraints, is for mechanisms of at most {_LARGEST}')
    wanted = 1 if given is None else len(given)
    closed, jacobian = _linearised(
        description, layout, compiled or _compiled(description, layout, storage),
        guess if near is None else near, len(names) - rows < wanted)
    kept = needed_equations(equations, jacobian)
    redundant = frozenset(range(len(equations))) - kept
    for k in redundant:
        if equations[k].kind == 'prescribed':
            raise MechanismError(f'{description.file}: {equations[k].meaning}: the coordinate does '
                                 'not move')
    spare = sum(equations[k].rows for k in redundant)
    whole = jacobian
    jacobian = np.concatenate([jacobian[rows] for k, rows in _rows(equations) if k in kept])
    count = _checked_count(description, len(names), rows, spare,
                           lambda: _hint(description, equations, whole, kept))
    if given is None:
        independent = _chosen_coordinates(description, names, jacobian, count)
        indices = [names.index(name) for name in independent]
        guess[indices] = closed[indices]      # the other starts decide the branch
        return Freedom(replace(description, independent=independent), redundant, guess,
                       tuple(names), layout.size, True, layout)
    if not _decides(names, jacobian, given):
        better = steady_coordinates(names, jacobian, count, preferred(names, description))
        cannot = (f'{description.file}: independent: {", ".join(given)}'
                  f'{" (chosen, the file names none)" if chosen else ""} cannot decide the motion '
                  'in the start position')
        if _decides(names, jacobian, better):
            raise SingularPositionError(f'{cannot}, but {", ".join(better)} can')
        others = (_nearly_redundant(equations, whole, kept, _SINGULAR)
                  or _in_line(equations, jacobian, kept))
        raise SingularPositionError(
            f'{cannot}, nor can others: it is a change point; there, {others} nearly follows from '
            'the other constraints, as where bars are in line; start elsewhere, or leave it out if '
            'it is redundant')
    return Freedom(description, redundant, guess, tuple(names), layout.size, False, layout)


def _decides(names: Sequence[str], jacobian: FloatArray, independent: Sequence[str]) -> bool:
    """Return whether independent coordinates by name decide the motion, by a Jacobian (m, n)."""
    dependent = [k for k, name in enumerate(names) if name not in independent]
    sizes = np.linalg.svd(jacobian[:, dependent], compute_uv=False)
    return sizes[-1] > _SINGULAR * sizes[0]


def _compiled(description: Description, layout: Any, storage: str | None
              ) -> tuple[RecordArray, Sequence[Equation | SpatialEquation]]:
    """Return the model of a mechanism without independent coordinates, and all its equations."""
    return compile_model(replace(description, independent=()), storage, layout=layout)


def _linearised(description: Description, layout: Any,
                compiled: tuple[RecordArray, Sequence[Equation | SpatialEquation]],
                guess: FloatArray, overconstrained: bool) -> tuple[FloatArray, FloatArray]:
    """Return the closed position next to a guess (n), and all constraints' Jacobian there (m, n).

    In metres and radians over sizes of the mechanism and radians.  compiled: see _compiled;
    overconstrained: whether it can
    move only if constraints are redundant.
    """
    model, equations = compiled
    work, n = work_for(model), len(guess)
    work['q'][0, :n] = guess
    entry_points.rest_driven(model, work)
    distance, meaning = nearest_to_closing(model, work, equations, np.arange(n))
    jacobian = scaled_jacobian(model, work, equations)
    if not distance <= CLOSED * layout.size:
        every = frozenset(range(len(equations)))
        rounded = overconstrained and distance < _ROUNDED * layout.size
        hint = _hint(description, equations, jacobian, every) if rounded else ''
        raise AssemblyError(f'{description.file}: cannot be assembled: at its nearest to closing, '
                            f'{meaning} is {distance:.4g} m off{hint}', distance,
                            work['q'][0, :n].copy())
    for index, value in AddedCoordinates(description, model, equations).others(work).items():
        work['q'][0, index] = value
    return work['q'][0, :n].copy(), jacobian


def _hint(description: Description, equations: Sequence[Equation | SpatialEquation],
          jacobian: FloatArray, kept: frozenset[int]) -> str:
    """Return what to do about equations that nearly follow from others; empty if none do.

    In space hinges that are nearly parallel are why, most often.
    """
    if rounded := rounded_hint(description):
        return rounded
    names = _nearly_redundant(equations, jacobian, kept, _ROUNDED)
    return names and (f'; {names} nearly follows from the other constraints: if numbers are '
                      "rounded, write expressions, such as 'hypot(3, 4)', else leave it out")


def _nearly_redundant(equations: Sequence[Equation | SpatialEquation], jacobian: FloatArray,
                      kept: frozenset[int], precision: float) -> str:
    """Return the meanings of the equations in `kept` that others imply to a precision."""
    nearly = needed_equations(equations, jacobian, precision)
    return ' or '.join(equations[k].meaning for k in sorted(kept - nearly))


def _in_line(equations: Sequence[Equation | SpatialEquation], jacobian: FloatArray,
             kept: frozenset[int]) -> str:
    """Return the meanings of the equations `kept` that have most part in what is singular."""
    shares = np.abs(np.linalg.svd(jacobian)[0][:, -1])
    owners = [equations[k].meaning for k, rows in _rows(equations) if k in kept for _ in rows]
    largest = [name for name, share in zip(owners, shares, strict=True)
               if share > _PART * shares.max() and not name.startswith('coordinates.')]
    return ' or '.join(dict.fromkeys(largest or owners[:1]))


def needed_equations(equations: Sequence[Equation | SpatialEquation], jacobian: FloatArray,
                     precision: float = RANK) -> frozenset[int]:
    """Return the indices of a largest set of equations none of which follows from the others.

    A rigid point is two equations that are needed both or not at all; where they are looked at
    first, what can be left out later has always one row.  What a file prescribes is needed too.
    """
    blocks = dict(_rows(equations))
    first = [k for k, equation in enumerate(equations) if _is_needed(equation)]
    others = [k for k in blocks if k not in first]
    return frozenset(independent_keys(jacobian, blocks, first, others, precision=precision))


def _is_needed(equation: Equation | SpatialEquation) -> bool:
    """Return whether others are left out as redundant first."""
    if isinstance(equation, Equation):
        return EQUATIONS[equation.kind].needed
    return equation.needed


def _rows(equations: Sequence[Equation | SpatialEquation]) -> Iterator[tuple[int, list[int]]]:
    """Yield the index of every equation and the rows it has."""
    row = 0
    for k, equation in enumerate(equations):
        yield k, list(range(row, row + equation.rows))
        row += equation.rows


def _checked_count(description: Description, n: int, rows: int, spare: int, hint: Callable[[], str]
                   ) -> int:
    """Return how many independent coordinates there are; raises MechanismError if not as given.

    hint(): what may be the reason for too few, in words.
    """
    counted = f'{n} coordinates - {rows} constraints' + (
        f', {spare} of them redundant in the start position' if spare else '')
    given, count = description.independent, n - rows + spare
    if count == 0 and not description.prescribed:
        raise MechanismError(f'{description.file}: the mechanism cannot move ({counted} leave no '
                             f'degree of freedom){hint()}')
    if given is not None and len(given) != count:
        raise MechanismError(f'{description.file}: independent: {list(given)} must be {count} '
                             f'name{"s" * (count > 1)} ({counted})'
                             f'{hint() if len(given) > count else ""}')
    return count


def _chosen_coordinates(description: Description, names: Sequence[str], jacobian: FloatArray,
                        count: int) -> tuple[str, ...]:
    """Return the independent coordinates of a file that does not name them."""
    modes = {name: 0.0 for name, one in description.coordinates.items() if one.is_free}
    given = {**modes, **description.start, **description.start_velocity}
    chosen = steady_coordinates(names, jacobian, count, given, preferred(names, description))
    for name in given:
        if name not in chosen:
            key = 'start' if name in description.start else 'start_velocity'
            raise MechanismError(f'{description.file}: {key}.{name}: not an independent '
                                 f'coordinate, those are {", ".join(chosen)} (chosen, as '
                                 'independent: is missing)')
    return chosen


def preferred(names: Iterable[str], description: Description) -> dict[str, None]:
    """Return the names of all coordinates: of the file, of points, of springs."""
    springs = [name for name, coordinate in description.coordinates.items()
               if coordinate.rest is not None]
    others = [name for name in (*description.coordinates, *names) if name not in springs]
    return dict.fromkeys((*others, *springs))


def steady_coordinates(names: Sequence[str], jacobian: FloatArray, count: int,
                       *groups: Iterable[str]) -> tuple[str, ...]:
    """Return `count` coordinates in which the motion is as little steep as can be.

    Out of groups of names, the earlier groups first; within a group the first one that is nearly
    as good as the best.
    """
    motion = null_projector(jacobian, count)
    rows = {name: [k] for k, name in enumerate(names)}
    seen = set()
    groups = [[name for name in group if not (name in seen or seen.add(name))] for group in groups]
    chosen = independent_keys(motion, rows, *groups)
    return tuple(name for name in names if name in chosen)
