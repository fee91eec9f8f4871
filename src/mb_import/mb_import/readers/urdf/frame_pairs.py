"""A YAML file beside the URDF with pairs of frames that meet, as of robots of Gepetto."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
import re
from typing import Any

import numpy as np

from mb_import.machine import LinkJoint
from mb_import.named_frames import named_frame
from mb_import.notes import Notes
from mb_import.xml_text import read_text
from mb_model.file_api import NotYamlError, load_yaml, shown
from mb_model.space_api import Pose

_KINDS = {'3d': 'spherical', '6d': 'weld'}
_AXES = dict(zip('XYZ', np.eye(3), strict=True))
_UNIVERSAL = re.compile(r'UJOINT_(?P<first>[XYZ])(?P<second>[XYZ])')
_KNOWN = 'closed_loop', 'type', 'name_mot', 'joint_name', 'joint_type'


@dataclass(frozen=True)
class PairsBeside:
    """What a file says; motors: joints that are driven, None if it names none."""

    file: str
    pairs: list[list[str]]
    kinds: list[str]                     # of closures
    motors: list[str] | None
    joint_types: dict[str, str]          # joint -> SPHERICAL, UJOINT_XY, FIXED

    def retyped(self, joint: LinkJoint, notes: Notes) -> LinkJoint:
        """Return a joint of the URDF as the file types it; raises MechanismError."""
        given = self.joint_types.get(joint.name)
        if given is None:
            return joint
        axes = _UNIVERSAL.fullmatch(given)
        if axes and axes['first'] != axes['second']:
            return LinkJoint(joint.name, 'universal', joint.links, joint.frames,
                             _AXES[axes['first']], _AXES[axes['second']])
        if given not in ('SPHERICAL', 'FIXED'):
            raise notes.error(self.file, f'joint_type: {shown(given)} must be SPHERICAL, FIXED or '
                                         'UJOINT_ with two of X, Y, Z')
        return LinkJoint(joint.name, 'spherical' if given == 'SPHERICAL' else 'weld', joint.links,
                         joint.frames)

    def closures(self, links: Collection[str], frames: Mapping[str, tuple[str, Pose]],
                 notes: Notes) -> Iterator[LinkJoint]:
        """Yield the closures, of links, frames or joints (their children); MechanismError."""
        for pair, kind in zip(self.pairs, self.kinds, strict=True):
            ends = [named_frame(name, links, frames, notes, f'{self.file}: closed_loop')
                    for name in pair]
            yield LinkJoint(_name(pair), kind, (ends[0][0], ends[1][0]),
                            (ends[0][1], ends[1][1]))


def read_pairs_beside(path: Path, notes: Notes) -> PairsBeside | None:
    """Return what a file path.yaml says; None without it.

    Its key closed_loop has pairs of names, `type` 3d (points) or 6d (frames) of each, name_mot
    joints that are driven, joint_type what joints of joint_name are in place of hinges.  Raises
    MechanismError.
    """
    beside = next((one for suffix in ('.yaml', '.yml')
                   if (one := path.with_suffix(suffix)).is_file()), None)
    if beside is None or 'closed_loop' not in (text := read_text(beside)):
        return None
    try:
        given, twice = load_yaml(text)
    except NotYamlError as error:
        raise notes.error(beside.name, str(error)) from None
    if not isinstance(given, dict) or 'closed_loop' not in given:
        return None
    if twice:
        raise notes.error(beside.name, twice)
    for key in given:
        if key not in _KNOWN:
            notes.left_out(beside.name, f'{key} is not known')
    pairs, kinds = _pairs(given, beside.name, notes)
    motors = given.get('name_mot')
    if motors is not None and not _is_texts(motors):
        raise notes.error(beside.name, 'name_mot: must be a list of names of joints')
    names, types = (given.get(key) or [] for key in ('joint_name', 'joint_type'))
    if not _is_texts(names) or not _is_texts(types) or len(names) != len(types):
        raise notes.error(beside.name, 'joint_type: must be a list of as many as joint_name has')
    return PairsBeside(beside.name, pairs, kinds, motors, dict(zip(names, types, strict=True)))


def _pairs(given: Mapping[str, Any], file: str,
           notes: Notes) -> tuple[list[list[str]], list[str]]:
    pairs, types = given['closed_loop'], given.get('type')
    if not isinstance(pairs, list) or not all(_is_texts(pair) and len(pair) == 2
                                              for pair in pairs):
        raise notes.error(file, 'closed_loop: must be a list of pairs of names of links or frames')
    if types is None:
        notes.guessed(file, 'it has no type, so its pairs are taken for 6d')
        types = ['6d'] * len(pairs)
    if not _is_texts(types) or len(types) != len(pairs) or not set(map(str.lower, types)) <= set(
            _KINDS):
        raise notes.error(file, f'type: must be a list of {len(pairs)} of {", ".join(_KINDS)}')
    return pairs, [_KINDS[one.lower()] for one in types]


def _name(pair: list[str]) -> str:
    """Return what both names begin with, if that says something: a_A and a_B -> a."""
    same = takewhile(lambda two: two[0] == two[1], zip(*pair, strict=False))
    common = ''.join(first for first, _ in same).rstrip('_.-/ ')
    says_something = common and all(len(one) - len(common) <= 2 for one in pair)
    return common if says_something else '_to_'.join(pair)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
