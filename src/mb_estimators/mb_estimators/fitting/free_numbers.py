"""Which numbers are free in a fit: groups, and paths with wildcards."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from mb_estimators.filters.parameters import KNOWN_FORCES, MOVING
from mb_estimators.fitting.cylinder_part import friction_paths
from mb_estimators.fitting.drive_part import GAIN, GEAR_KINDS, OFFSET
from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.friction_law import KINDS
from mb_estimators.fitting.mass_properties import raw_paths
from mb_estimators.fitting.path_part import coulomb_of
from mb_estimators.fitting.reading_part import LASH, ZEROS
from mb_estimators.fitting.samples import is_transition
from mb_model import Mechanism, MechanismError
from mb_model.file_api import whole_mapping

_FRICTION = (      # beginnings of keys
    'coulomb', 'static', 'viscous', 'load_share', 'transition_velocity')
GROUPS = {
    'masses': 'of bodies',
    'inertias': 'centres of gravity and inertias of bodies',
    'friction': 'coulomb, static, viscous, shares of the load, transition velocities',
    'armatures': 'rotor inertias of coordinates',
    'springs': 'stiffness, damping and rest (length or angle)',
    'gains': 'factors of the recorded forces of drives',
    'offsets': 'constants of them',
    'transmissions': 'what drives lose of them, how they depend on sign and speed, and lash',
    'zeros': 'of encoders, of each bag its own'}
_OF_SPRINGS = ('stiffness', 'damping', 'rest')


@dataclass
class FreeNumbers:
    """Bodies with what of them is free ('mass', 'distribution', 'all'), scalars, gains and offsets.

    drives: gains, offsets and losses; cylinders: paths of their friction; readings: zeros and lash;
    notes: what of a group stays as it is, and why.
    """

    bodies: dict[str, str] = field(default_factory=dict)
    scalars: tuple[str, ...] = ()
    drives: tuple[str, ...] = ()
    cylinders: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def without(self, held: Mapping[str, str]) -> 'FreeNumbers':
        """Return the numbers but some scalars, by path, each with a reason."""
        scalars, cylinders = (tuple(path for path in paths if path not in held)
                              for paths in (self.scalars, self.cylinders))
        return replace(self, scalars=scalars, cylinders=cylinders,
                       notes=(*self.notes, *(f'{path}: as in the file, {why}'
                                             for path, why in held.items())))


def free_numbers(mechanism: Mechanism, words: Sequence[str], drives: Sequence[str],
                 cylinders: Sequence[str] = (),
                 encoders: Sequence[Sequence[str]] = ()) -> FreeNumbers:
    """Return the FreeNumbers of GROUPS and of paths or names with wildcards.

    Without any word: what there is of masses, inertias and friction, but transition velocities, on
    which forces do not depend linearly.  cylinders: names of the hydraulic ones whose pressures are
    known; encoders: of each bag, names of the ones the motion comes from.  Raises FitError.
    """
    rubbing = friction_paths(cylinders)
    read = reading_paths(drives, encoders)
    chosen, words = free_paths(mechanism, words, drives, cylinders, read)
    free = FreeNumbers(drives=tuple(path for path in chosen if path.startswith(KNOWN_FORCES)
                                    and path not in read),
                       cylinders=tuple(path for path in chosen if path in rubbing),
                       readings=tuple(path for path in chosen if path in read))
    scalars = [path for path in chosen
               if path not in (*free.drives, *free.cylinders, *free.readings)]
    for body in mechanism.bodies:
        paths = list(raw_paths(body, mechanism.dimension))
        own = {path for path in paths if path in chosen}
        kinds = {frozenset(paths): 'all', frozenset(paths[1:]): 'distribution',
                 frozenset(paths[:1]): 'mass'}
        kind = kinds.get(frozenset(own))
        if kind:
            free.bodies[body] = kind
            scalars = [path for path in scalars if path not in own]
    free.scalars, free.notes = tuple(scalars), tuple(_notes(mechanism, words))
    return free


def reading_paths(drives: Sequence[str], encoders: Sequence[Sequence[str]]) -> dict[str, str]:
    """Return path -> group of the zeros of encoders, of each bag, and of the lash of drives."""
    paths = {f'{ZEROS}{name}.{number}': 'zeros'
             for number, names in enumerate(encoders, start=1) for name in names}
    if paths:
        paths |= {f'{KNOWN_FORCES}{drive}.{LASH}': 'transmissions' for drive in drives}
    return paths


def free_paths(mechanism: Mechanism, words: Sequence[str], drives: Sequence[str],
               cylinders: Sequence[str] = (), read: Mapping[str, str] | None = None,
               ) -> tuple[list[str], Sequence[str]]:
    """Return the paths or names of words, as of free_numbers, and the words.  Raises FitError.

    read: reading_paths.
    """
    rubbing, read = friction_paths(cylinders), read or {}
    candidates = [*_candidates(mechanism, drives), *(
        _Candidate(path, 'friction') for path in rubbing), *(
        _Candidate(path, group) for path, group in read.items())]
    if not words:
        candidates = [one for one in candidates if not is_transition(one.path)]
    groups = {one.group for one in candidates}
    chosen: dict[str, None] = {}
    words = words or [group for group in ('masses', 'inertias', 'friction') if group in groups]
    for word in words:
        matching = ([one for one in candidates if one.group == word] if word in GROUPS else
                    [one for one in candidates if fnmatchcase(one.path, word)] if '*' in word
                    else [])
        if not matching and not (single := _single(mechanism, word, drives,
                                                  (*rubbing, *read))):
            raise FitError(_unknown(mechanism, word, candidates))
        for one in matching:
            chosen |= dict.fromkeys(one.owners or (one.path,))
        if not matching:
            chosen[single] = None
    for path in list(chosen):       # static friction is never less than a Coulomb friction
        for one in candidates:
            if one.group == 'friction' and coulomb_of(one.path) == path:
                chosen |= dict.fromkeys(one.owners or (one.path,))
    return list(chosen), words


class _Candidate(NamedTuple):
    """A number that can be free, '' without a group; owners: names in the file that it follows."""

    path: str
    group: str
    owners: tuple[str, ...] = ()


def _candidates(mechanism: Mechanism, drives: Sequence[str]) -> Iterator[_Candidate]:
    """Yield every number that groups and wildcards can mean."""
    owners: dict[Any, set[str]] = {}
    for effect, name in _named_effects(mechanism):
        owners.setdefault(effect, set()).add(name)
    groups = dict(_paths(mechanism))
    follows = {path: set().union(*(owners.get(effect, ()) for effect in _effects(mechanism, path)))
               for path in groups}
    for body in mechanism.bodies:       # a number of two names is free as itself
        paths = list(raw_paths(body, mechanism.dimension))
        if any(len(follows.get(path, ())) > 1 for path in paths):
            follows |= {path: set() for path in paths}
    follows = {path: names if len(names) == 1 else set() for path, names in follows.items()}
    tied = {body for body in mechanism.bodies
            if any(follows.get(path) for path in raw_paths(body, mechanism.dimension))}
    for path, group in groups.items():
        first, name, *_ = path.split('.')       # the rest of a body follows its named numbers
        free = follows[path] or not (first == 'bodies' and name in tied)
        yield _Candidate(path, group if free else '', tuple(sorted(follows[path])))
    for drive in drives:
        yield _Candidate(f'{KNOWN_FORCES}{drive}.{GAIN}', 'gains')
        yield _Candidate(f'{KNOWN_FORCES}{drive}.{OFFSET}', 'offsets')
        for kind in GEAR_KINDS:
            yield _Candidate(f'{KNOWN_FORCES}{drive}.{kind}', 'transmissions')


def _paths(mechanism: Mechanism) -> Iterator[tuple[str, str]]:
    """Yield (path, group) of the numbers of a file."""
    raw = whole_mapping(mechanism.raw, mechanism.file)
    for body in _weighed(mechanism):
        for k, path in enumerate(raw_paths(body, mechanism.dimension)):
            yield path, 'inertias' if k else 'masses'
    for force, entry in raw.get('forces', {}).items():
        for key in entry or {}:
            path = f'forces.{force}.{key}'
            if _effects(mechanism, path):
                yield path, _group_of(entry.get('kind'), key)
    for name, entry in raw.get('coordinates', {}).items():
        if isinstance(entry, Mapping) and 'armature' in entry:
            yield f'coordinates.{name}.armature', 'armatures'


def _named_effects(mechanism: Mechanism) -> Iterator[tuple[Any, str]]:
    """Yield (effect, name) of the parameters of a file that move no points."""
    for name in mechanism.parameters:
        effects = _effects(mechanism, name)
        if not {kind for kind, *_ in effects} & MOVING:
            yield from ((effect, name) for effect in effects)


def _effects(mechanism: Mechanism, path: str) -> list[tuple[int, ...]]:
    """Return which numbers of the model a path or name changes, none if it is no parameter."""
    try:
        record = mechanism.parameter_records([path])[0]
    except MechanismError:
        return []
    return [(int(record['kind'][k]), *record['index'][k].tolist())
            for k in range(record['effects'])]


def _group_of(kind: str | None, key: str) -> str:
    if kind in KINDS and key.startswith(_FRICTION):
        return 'friction'
    return 'springs' if key in _OF_SPRINGS else ''


def _weighed(mechanism: Mechanism) -> Iterator[str]:
    """Yield the rigid bodies that have a mass."""
    for name, body in mechanism.bodies.items():
        if body.mass > 0.0 and body.beam is None and not getattr(body, 'slender', False):
            yield name


def _single(mechanism: Mechanism, word: str, drives: Sequence[str],
            others: Sequence[str]) -> str:
    """Return a word that is the path or name of one number, else ''."""
    of_drives = [f'{KNOWN_FORCES}{drive}.{kind}' for drive in drives
                 for kind in (GAIN, OFFSET, *GEAR_KINDS)]
    return word if word in (*of_drives, *others) or _effects(mechanism, word) else ''


def _notes(mechanism: Mechanism, words: Sequence[str]) -> Iterator[str]:
    """Yield what is not free though its group is."""
    if not {'masses', 'inertias'} & set(words):
        return
    weighed = set(_weighed(mechanism))
    for name, body in mechanism.bodies.items():
        if name not in weighed:
            why = ('bends' if body.beam is not None else 'is slender'
                   if getattr(body, 'slender', False) else 'has no mass to begin with')
            yield f'{name} {why}: its mass properties stay as they are'


def _unknown(mechanism: Mechanism, word: str, candidates: Sequence[_Candidate]) -> str:
    if word in GROUPS:
        return f'--free {word}: {mechanism.name} has none in its file ({GROUPS[word]})'
    if word.startswith('hydraulics.') and mechanism.circuit is not None:
        own = ', '.join(friction_paths(list(mechanism.described.hydraulics.cylinders)))
        return (f'--free {word}: expected oil, a number of it such as hydraulics.oil.bulk_modulus, '
                f'or, by readings of an encoder and pressures, friction or some of {own}')
    paths = ', '.join(one.path for one in candidates[:3])
    return (f'--free {word}: expected some of {", ".join(GROUPS)}, or paths or names such as '
            f'{paths or "gravity.y"}, with * as a wildcard')
