"""Parameters of a mechanism: numbers of its file, addressed by their path, or named ones."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from mb_model.arrays import RecordArray
from mb_model.compilation.beam_parameters import (
    beam_effects,
    beam_effects_in_space,
    of_beam,
)
from mb_model.compilation.point_parameters import Offsets, path_of
from mb_model.forces.acting import stop_name
from mb_model.forces.element import ForceKind
from mb_model.forces.kinds.characteristic import Curve
from mb_model.kernels.parameters import Effect
from mb_model.mechanism_file.description import Body, MechanismError
from mb_model.mechanism_file.expressions import ExpressionError, names_in
from mb_model.mechanism_file.programs import VARIABLE, Term, program_of, term_of
from mb_model.mechanism_file.repetition import written_out
from mb_model.record import PARAMETER
from mb_model.registry import spatial
from mb_model.registry.constraints import CONSTRAINTS
from mb_model.registry.forces import FORCES
from mb_model.space.body import SpatialBody

_FIELDS = {Effect.GRAVITY: 'gravity', Effect.FIXED_POINT: 'fixed', Effect.BODY_MASS: 'body_mass',
           Effect.BODY_CENTRE: 'body_centre', Effect.BODY_INERTIA: 'body_inertia',
           Effect.BODY_LENGTH: 'body_length', Effect.CONSTRAINT: 'constraint_value',
           Effect.FORCE: 'force_value', Effect.SOLID_MASS: 'solid_mass',
           Effect.SOLID_CENTRE: 'solid_centre', Effect.SOLID_INERTIA: 'solid_inertia',
           Effect.ELEMENT: 'element_value', Effect.SOLID_GYRATION: 'solid_gyration',
           Effect.TERM: 'term_weight', Effect.OWN_INERTIA: 'own_inertia'}
_ON_FORCES = {Effect.GRAVITY, Effect.SOLID_MASS, Effect.SOLID_CENTRE, Effect.SOLID_INERTIA,
              Effect.FORCE, Effect.ELEMENT, Effect.OWN_INERTIA}      # which move no points
_AXES = {'0': 0, '1': 1, 'x': 0, 'y': 1}
_AXES_IN_SPACE = _AXES | {'2': 2, 'z': 2}
_X_OF_RIGID_POINT = 2     # slot in the value of constraints.kinds.rigid_point


def parameter_records(mechanism: Any, names: Sequence[str]) -> RecordArray:
    """Return a PARAMETER array (p) for kernels.parameters, at the values of the mechanism.

    names: of entries of `parameters`, or paths of numbers in the file: 'bodies.crank.mass',
    'gravity.y', 'forces.spring.stiffness'.  Raises MechanismError.
    """
    offsets = Offsets(mechanism)
    entries = [_entries_of(mechanism, name) for name in names]
    offsets.follow(path for some in entries for path, _ in some if not _effects(mechanism, path))
    every = [_effects_of(mechanism, offsets, *one) for one in zip(names, entries, strict=True)]
    records = PARAMETER.new(len(names), effects=max(map(len, every), default=0))
    moving = []
    for row, (record, name, effects) in enumerate(zip(records, names, every, strict=True)):
        record['value'] = _value(mechanism, offsets, name, effects)
        record['effects'] = len(effects)
        for k, (kind, first, second, term) in enumerate(effects):
            program = program_of(term)
            record['kind'][k], record['index'][k] = kind, (first, second)
            record['operations'][k], record['numbers'][k] = (
                program['operations'], program['numbers'])
        if {Effect.TERM, Effect.SOLID_GYRATION} & {effect[0] for effect in effects}:
            moving.append(row)
        if {effect[0] for effect in effects} - _ON_FORCES:
            mechanism.require_holonomic(f'{name} as a parameter')
    offsets.require_whole([names[row] for row in moving], records[moving])
    return records


def _value(mechanism: Any, offsets: Offsets, name: str, effects: Sequence[tuple[Any, ...]]
           ) -> float:
    """Return the value of a parameter at first."""
    if name in mechanism.parameters:
        return mechanism.parameters[name]
    path = path_of(name)
    value = of_beam(mechanism, path)
    if value is None:
        value = offsets.number_at(path)
    return _model_value(mechanism, *effects[0][:3]) if value is None else value


def _effects_of(mechanism: Any, offsets: Offsets, name: str,
                entries: Sequence[tuple[tuple[str, ...], Callable[[], Any]]]
                ) -> list[tuple[Any, ...]]:
    """Return [(kind, first, second index, term)] of a parameter.  Raises MechanismError.

    entries: of _entries_of.
    """
    effects, moved = [], {}
    for path, term in entries:
        direct = _effects(mechanism, path)
        effects += [_with(effect, term()) for effect in direct]
        for effect, (base, change) in ({} if direct else offsets.following(path)).items():
            moved[effect] = moved.get(effect, base) + change(term())
    effects += [(*effect, term) for effect, term in moved.items()]
    if not effects:
        known = ', '.join(mechanism.parameters) or 'none'
        raise MechanismError(
            f'{mechanism.file}: {name}: is no parameter of the model, expected a path such as '
            f'bodies.{next(iter(mechanism.bodies))}.mass, or a named one ({known}) that the '
            'model depends on')
    return effects


def _with(effect: tuple[Any, ...], term: Term | float) -> tuple[Any, ...]:
    """Return an effect with its term; one with a share gets that share of it."""
    kind, first, second, *shares = effect
    return kind, first, second, shares[0] * term if shares else term


def _entries_of(mechanism: Any, name: str) -> list[tuple[tuple[str, ...], Callable[[], Any]]]:
    """Return [(path, what makes its term)] of the entries of the file that a parameter is in.

    That is its own number, or what a named one enters, directly or through others, texts too.
    """
    if name not in mechanism.parameters:
        return [(path_of(name), lambda: VARIABLE)]
    terms: dict[str, Any] = {}
    for other, value in mechanism.raw.get('parameters', {}).items():
        terms[other] = VARIABLE if other == name else term_of(value, terms)
    moving = {other for other, term in terms.items() if isinstance(term, Term)}
    entries = []
    for path, text in _expressions(mechanism.raw, ()):
        if path[0] == 'parameters' or not _used(text) & moving:
            continue
        every = list(written_out(mechanism.raw, path, mechanism.parameters))
        if path[0] == 'hydraulics' or path[-1] in ('motion', 'count') or any(
                _of_curve(mechanism, written) for written, _ in every):
            raise MechanismError(f'{mechanism.file}: {".".join(path)}: depends on {name}, which '
                                 'can be no parameter then')
        entries += [(written, partial(term_of, text, terms | index)) for written, index in every]
    return entries


def _of_curve(mechanism: Any, path: tuple[str, ...]) -> bool:
    """Return whether a number is one of a force by expressions, which keep their numbers."""
    return path[0] == 'forces' and isinstance(mechanism.described.forces.get(path[1]), Curve)


def _used(text: str) -> set[str]:
    """Return the names in an expression, none if the text is not one."""
    try:
        return names_in(text)
    except ExpressionError:
        return set()


def _expressions(raw: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield (path, text) of every text in a mapping or list."""
    if isinstance(raw, str):
        yield path, raw
    elif isinstance(raw, dict):
        for key, value in raw.items():
            yield from _expressions(value, (*path, key))
    elif isinstance(raw, (list, tuple)):
        for k, value in enumerate(raw):
            yield from _expressions(value, (*path, str(k)))


def _effects(mechanism: Any, path: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return [(kind, first, second index)] of a number of the file, [] if it is none.

    With a share behind, if it is a share of the number.  Of points in space: see moved_numbers.
    """
    axes = _AXES_IN_SPACE if mechanism.dimension == 3 else _AXES
    match path:
        case ('gravity', axis) if axis in axes:
            return [(Effect.GRAVITY, axes[axis], 0)]
        case ('points', name, 'fixed', axis) if (axis in axes and name in mechanism.points
                                                 and mechanism.points[name].fixed):
            return [(Effect.FIXED_POINT, mechanism.point_index(name) + axes[axis], 0)]
        case ('bodies', name, *keys) if name in mechanism.bodies:
            return _body(mechanism, list(mechanism.bodies).index(name),
                         mechanism.bodies[name], tuple(keys))
        case ('coordinates', name, 'armature') if (
                one := mechanism.described.coordinates.get(name)) and not one.is_free:
            return [(Effect.OWN_INERTIA, mechanism.coordinates.index(name), 0)]
        case ('coordinates', name, 'limits', key) if (
                stop := stop_name(name)) in mechanism.described.forces:
            return _force(mechanism, stop, key)
        case ('constraints', name, key) if name in mechanism.described.constraints:
            slots = CONSTRAINTS[mechanism.described.constraints[name].kind].parameters
            return [(Effect.CONSTRAINT, _number(mechanism, f'constraints.{name}'),
                     slots[key])] if key in slots else []
        case ('forces', name, *keys) if name in mechanism.described.forces:
            return _force(mechanism, name, '.'.join(keys))
    return []


def _body(mechanism: Any, k: int, body: Any, keys: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return the effects of a number of body k."""
    if mechanism.dimension == 3:
        return _solid(mechanism, k, body, keys)
    if body.beam is not None:
        return beam_effects(mechanism, body, keys)
    second = list(body.points)[1]
    match keys:
        case ('mass',):
            return [(Effect.BODY_MASS, k, 0)]
        case ('inertia',) if not body.rod:
            return [(Effect.BODY_INERTIA, k, 0)]
        case ('centre_of_gravity', axis) if axis in _AXES and not body.rod:
            return [(Effect.BODY_CENTRE, k, _AXES[axis])]
        case ('length',):
            return [(Effect.BODY_LENGTH, k, 0), *_loads_at(mechanism, body, second, 0)]
        case ('points', name, axis) if axis in _AXES and name in list(body.points)[1:]:
            loads = _loads_at(mechanism, body, name, _AXES[axis])
            if name == second:
                return [(Effect.BODY_LENGTH, k, 0), *loads] if _AXES[axis] == 0 else []
            return [(Effect.CONSTRAINT, _number(mechanism, f'bodies.{body.name} at {name}'),
                     _X_OF_RIGID_POINT + _AXES[axis]), *loads]
    return []


def _solid(mechanism: Any, k: int, body: SpatialBody, keys: tuple[str, ...]
           ) -> list[tuple[Any, ...]]:
    """Return the effects of a number of body k in space."""
    if body.beam is not None:
        return beam_effects_in_space(mechanism, body, keys, _elements(mechanism)[Effect.FORCE])
    match keys:
        case ('mass',):
            return [(Effect.SOLID_MASS, k, 0)]
        case ('centre_of_gravity', axis) if axis in _AXES_IN_SPACE:
            return [(Effect.SOLID_CENTRE, k, _AXES_IN_SPACE[axis])]
        case ('inertia', number) if number in '012345' and not body.shaped:
            return [(Effect.SOLID_INERTIA, k, int(number))]
    return []


def _elements(mechanism: Any) -> dict[Effect, list[str]]:
    """Return effect -> names of the forces whose elements it is on, in their order.

    Forces by expressions have none.
    """
    elements = {Effect.FORCE: [], Effect.ELEMENT: []}
    for name, force in mechanism.described.forces.items():
        if not isinstance(force, Curve):
            in_space = _kind_of(mechanism, name).pushes is not None
            elements[Effect.ELEMENT if in_space else Effect.FORCE].append(name)
    return elements


def _kind_of(mechanism: Any, name: str) -> ForceKind:
    """Return the ForceKind of a force by name."""
    kinds = spatial.FORCES if mechanism.dimension == 3 else FORCES
    return kinds[mechanism.described.forces[name].kind]


def _loads_at(mechanism: Any, body: Body, point: str, axis: int) -> list[tuple[Any, ...]]:
    """Return the effects on forces of a planar mechanism that act at a point of a body."""
    key, forces = f'at.{"xy"[axis]}', mechanism.described.forces
    return [(Effect.FORCE, k, slots[key])
            for k, name in enumerate(_elements(mechanism)[Effect.FORCE])
            if key in (slots := _kind_of(mechanism, name).parameters)
            and (forces[name].body, forces[name].at) == (body.name, point)]


def _force(mechanism: Any, name: str, key: str) -> list[tuple[Any, ...]]:
    """Return the effects of a number of a force; its axes may have numbers in the key."""
    kind, entry = _kind_of(mechanism, name), mechanism.raw.get('forces', {}).get(name, {})
    head, _, last = key.rpartition('.')
    named = f'{head}.{"xyz"[int(last)]}' if last in ('0', '1', '2') else key
    slots = kind.slots(key, entry) or kind.slots(named, entry)
    return [(effect, names.index(name), slot) for effect, names in _elements(mechanism).items()
            if name in names for slot in slots]


def _number(mechanism: Any, meaning: str) -> int:
    """Return the number of an equation."""
    return next(k for k, equation in enumerate(mechanism.equations)
                if equation.meaning == meaning)


def _model_value(mechanism: Any, kind: Effect, first: int, second: int) -> float:
    """Return the number of the model that an effect is on."""
    model = mechanism.model[0]
    numbers = model[_FIELDS[kind]][first]
    return numbers[second] if numbers.ndim else numbers
