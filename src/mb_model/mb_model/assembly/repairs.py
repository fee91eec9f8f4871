"""Files of machines in space without what rounded numbers of CAD leave off: axes and pins."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.joint_closing import JointClosing
from mb_model.assembly.loose_welds import (
    LOOSE,
    LooseWeld,
    loose_welds,
    loosened,
    welds_in_loops,
)
from mb_model.assembly.rounded_axes import in_words, rounded_axes
from mb_model.compilation.spatial.layout import size_of
from mb_model.mechanism_file.description import Description
from mb_model.mechanism_file.reading import read_description
from mb_model.space.rotation import rotation_vector

_CLOSED = 1e-9          # of the mechanism's size
_PINS = 2e-3            # m, and share of the mechanism's size: pins so far off along their axis


def snapped(raw: Mapping[str, Any], file: str) -> tuple[dict[str, Any], list[str]]:
    """Return the mapping of a mechanism file without what is off by rounding, and notes on that.

    In space: axes of joints on one body that are parallel within 2e-3 rad become so, and hinges of
    loops whose pins are up to 2 mm apart along their axis get pins that meet.  Welds with which
    loops do not close become ball joints, if these close them.  Poses of a machine that is drawn
    open are the nearest ones that close it; a loop that does not close is noted with a kind of
    joint that would.  file: its name in messages.  Raises MechanismError for a mapping
    that is no mechanism.
    """
    repaired: dict[str, Any] = deepcopy(dict(raw))
    description = read_description(repaired, file)
    if description.dimension != 3:
        return repaired, []
    notes, axes = [], dict[str, list[Any]]()
    for one in rounded_axes(description):
        frames = description.joints[one.joint].frames
        axes.setdefault(one.joint, [frame[:, 2].tolist() for frame in frames])
        axes[one.joint][one.side] = one.axis.tolist()
        notes.append(f'{in_words(one)}: made parallel')
    for name, pair in axes.items():
        entry, frames = repaired['joints'][name], description.joints[name].frames
        entry.pop('axis', None)
        entry.setdefault('references', [frame[:, 0].tolist() for frame in frames])
        entry['axes'] = pair
    return repaired, notes + _loops(repaired, description if not notes else read_description(
        repaired, file))


def _loops(repaired: dict[str, Any], description: Description) -> list[str]:
    """Close loops that are drawn open, and let pins of hinges meet, if they are near; return notes.
    """
    closing = JointClosing(description)
    if not (closing.supported and closing.has_loops):
        return []
    notes, closing = _loosened(repaired, description, closing)
    open_ = float(np.abs(closing.evaluate(closing.start)[0]).max(initial=0.0))
    if open_ < _CLOSED:
        return notes
    if closing.closed:
        for name, body in closing.described(closing.closed[0]).bodies.items():
            repaired['bodies'][name]['pose'] = {
                'at': body.pose.at.tolist(), 'turn': rotation_vector(body.pose.turn).tolist()}
        return [*notes, f'drawn pose: loops are open by {open_ * size_of(description):.3g} m; it '
                'starts where they close next to it']
    return _pins(repaired, closing, size_of(description))


def _loosened(repaired: dict[str, Any], description: Description, closing: JointClosing
              ) -> tuple[list[str], JointClosing]:
    """Make welds ball joints where loops do not close with them, and do so with these.

    Return notes, and the JointClosing of what there is then.
    """
    if not welds_in_loops(description) or closing.closes_as_drawn():
        return [], closing
    loose = list(loose_welds(description))
    closed = JointClosing(loosened(description, [one.name for one in loose]))
    if not loose or not closed.closed:
        return [], closing
    for one in loose:
        entry = repaired['joints'][one.name]
        repaired['joints'][one.name] = {'kind': LOOSE, 'bodies': entry['bodies'],
                                        'at': entry['at']}
    return [f'joints.{one.name}: taken for {LOOSE}: {_why(one)}' for one in loose], closed


def _why(one: LooseWeld) -> str:
    """Return in words why a weld is none."""
    if one.because == (one.name,):
        return f'with a weld its loop is {one.gap:.3g} m open at its nearest to closing'
    if one.name in one.because:
        return (f'with welds the loops of {", ".join(one.because)} are {one.gap:.3g} m open at '
                'their nearest to closing')
    return f'its loop shares joints with the one of {one.because[0]}, which does not close'


def _pins(repaired: dict[str, Any], closing: JointClosing, size: float) -> list[str]:
    """Let pins of hinges that close loops meet, if they are near; return notes."""
    notes = []
    for gap in closing.open_gaps():
        joint = gap.joint
        if joint is None or gap.size < 1e-9 * size:
            continue
        along, turned = float(gap.values[2]) if len(gap.values) > 2 else 0.0, gap.values[3:]
        rest = float(np.abs(np.r_[gap.values[:2], turned]).max(initial=0.0))
        if joint.kind == 'revolute' and rest < 1e-6 * size and (
                abs(along) < min(_PINS, _PINS * size)):
            moved = np.asarray(joint.offsets[1]) - along * joint.frames[1][:, 2]
            repaired['joints'][joint.name]['at'] = [list(map(float, joint.offsets[0])),
                                                    moved.tolist()]
            notes.append(f'joints.{joint.name}: its pins are {abs(along):.3g} m apart along '
                         f'their axis: that on {joint.bodies[1]} is moved')
        else:
            notes.append(f'joints.{joint.name}: is {gap.size:.3g} m open where its loop is nearest '
                         f'to closing: kind: {_fitting(rest, along, turned, size)} would fit')
    return notes


def _fitting(rest: float, along: float, turned: FloatArray, size: float) -> str:
    """Return the kind of a joint that leaves open what is open."""
    leans = bool(turned.size) and float(np.abs(turned).max()) > 1e-6 * size
    slides = abs(along) > 1e-6 * size
    if not leans:
        return 'cylindrical' if slides else 'spherical'
    return 'in_line' if slides else 'spherical'
