"""Tendons of an MJCF file that are springs and dampers between two sites."""

import numpy as np

from mb_import.machine import Strut
from mb_import.notes import Notes
from mb_import.readers.mjcf.names import Names
from mb_import.readers.mjcf.records import Compiled, TendonRecord


def struts_of(compiled: Compiled, names: Names, notes: Notes) -> dict[str, Strut]:
    """Return the struts by name; notes what else tendons have that no machine has.

    A fixed tendon is a sum of joints; a straight one whose length an equality keeps is a rod.
    """
    rods = {one.first for one in compiled.equalities if one.kind == 'tendon' and one.second < 0}
    struts: dict[str, Strut] = {}
    for k, tendon in enumerate(compiled.tendons):
        item, acts = f'tendon {tendon.name}', tendon.stiffness or tendon.damping or tendon.friction
        if acts and tendon.sites:
            strut = _strut(compiled, names, tendon, tendon.name or f'tendon_{k}')
            struts[strut.name] = strut
            if tendon.slack:
                notes.left_out(item, 'springlength of two numbers, between which a spring is '
                                     'slack: the first counts')
        elif acts:
            notes.left_out(item, 'springs, dampers and friction of a tendon that is no straight '
                                 'line between two sites')
        elif not tendon.fixed and not (tendon.sites and k in rods):
            notes.left_out(item, 'a tendon in space')
        others = [*tendon.others, *(['nonlinear laws'] if tendon.higher else [])]
        if others:
            notes.left_out(item, f'{", ".join(others)} of a tendon')
    return struts


def _strut(compiled: Compiled, names: Names, tendon: TendonRecord, name: str) -> Strut:
    first, second = (compiled.sites[site] for site in tendon.sites)
    return Strut(name, (names.bodies[first.body], names.bodies[second.body]),
                 (np.array(first.pos), np.array(second.pos)), tendon.stiffness, tendon.rest,
                 tendon.damping, tendon.friction)
