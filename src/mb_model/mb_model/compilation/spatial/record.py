"""The part of a model's record that a mechanism in space has beside others."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_model.compilation.spatial.beams import beam_equations
from mb_model.compilation.spatial.elimination import (
    Elimination,
    acting_groups,
    best_elimination,
    coupled,
    envelope,
)
from mb_model.compilation.spatial.layout import SpatialLayout
from mb_model.constraints.equation import Equation
from mb_model.mechanism_file.description import Description
from mb_model.registry.joints import COORDINATES, JOINTS
from mb_model.registry.spatial import SpatialElementNumber, SpatialEquationNumber
from mb_model.space.equation import NONE, SpatialEquation
from mb_model.space.equations.products import product_equation
from mb_model.space.force import SpatialElement


def spatial_equations(description: Description, layout: SpatialLayout) -> list[SpatialEquation]:
    """Return the SpatialEquations of a description: bodies, joints, coordinates."""
    equations = [
        product_equation(layout.vector(first), layout.vector(second), constant,
                         _slope(first is second or first == second, constant),
                         f'bodies.{body}')
        for first, second, constant, body in layout.products]
    for joint in description.joints.values():
        equations += JOINTS[joint.kind].equations(layout, joint)
    defined = {(joint.name, kind) for joint in description.joints.values()
               for kind in JOINTS[joint.kind].defines(description.bodies, joint)}
    for body in description.bodies.values():
        if body.beam is not None:
            equations += beam_equations(layout, body)
    return equations + [
        COORDINATES[one.kind].equation(layout, one)
        for one in description.coordinates.values()
        if one.inertia is None and one.kind in COORDINATES
        and (one.joint, one.kind) not in defined]


def _slope(same: bool, constant: float) -> float:
    """Return the size of the derivative of a product of two vectors, equal ones or not."""
    return 2.0 * constant ** 0.5 if same else max(abs(constant) ** 0.5, 1.0)


def rolls_of(layout: SpatialLayout) -> list[tuple[tuple[int, ...], tuple[float, ...]]]:
    """Return (index, value) of every body that rolls, see kernels.rolling."""
    rolls = []
    for joint in layout.joints.values():
        kind, body = JOINTS[joint.kind], joint.bodies[1]
        if kind.rolls:
            centre = layout.vector(layout.point(body, joint.offsets[1]))
            axis = NONE if kind.rolls == 'ball' else layout.vector(
                layout.direction(body, joint.frames[1][:, 2]))
            x, y, normal = joint.frames[0].T
            rolls.append(((centre, *layout.frame(body)[1:], axis), (
                joint.numbers['radius'], *normal, *x, *y, joint.numbers['slip_decay'])))
    return rolls


def elimination_of(layout: SpatialLayout, rows: Sequence[list[int]],
                   elements: Sequence[SpatialElement]) -> Elimination:
    """Return the Elimination of tangents."""
    return best_elimination(acting_groups(layout, rows, elements), len(layout.names))


def dependent_order(dependent: Sequence[int], rows: Sequence[list[int]]) -> list[int]:
    """Return dependent coordinates in the order in which kernels.listed_lu takes their columns.

    Whatever rows are exchanged, factors have no entries but where the factor of J_d^T J_d has.
    Source: George and Ng 1985 (An implementation of Gaussian elimination with partial pivoting for
    sparse systems).
    """
    slot = {coordinate: k for k, coordinate in enumerate(dependent)}
    groups = [[slot[column] for column in row if column in slot] for row in rows]
    return [dependent[k] for k in best_elimination(groups, len(dependent)).order]


def sizes_of_space(layout: SpatialLayout, equations: Sequence[Equation | SpatialEquation],
                   elements: Sequence[SpatialElement], rows: Sequence[list[int]],
                   elimination: Elimination | None) -> dict[str, int]:
    """Return the sizes of a record, see mb_model.record.MODEL; rows: see pattern.row_columns.

    elimination: None for sparse storage, which has tangents of its own.

    After the vectors of equations and elements have been named; names vectors of the bodies' frames
    and of bodies that roll.
    """
    rolls = rolls_of(layout)
    for body in layout.bodies:
        layout.frame(body)
    return {'vectors': len(layout.vectors), 'terms': sum(map(len, layout.vectors)),
            'spatial_equations': sum(isinstance(one, SpatialEquation) for one in equations),
            'solids': len(layout.solids), 'elements': len(elements),
            'solid_terms': sum(len(solid.weights) for solid in layout.solids),
            'charts': len(layout.charts), 'links': layout.tree.links,
            'entries': sum(map(len, rows)), 'listed': layout.n_total, 'rolls': len(rolls),
            'fills': sum(map(len, elimination.later)) if elimination else 0}


def write_space(record: Any, layout: SpatialLayout, equations: Sequence[Equation | SpatialEquation],
                elements: Sequence[SpatialElement], rows: Sequence[list[int]],
                elimination: Elimination | None) -> None:
    """Write vectors, equations with their rows, masses and forces to a record."""
    begin = 0
    for k, terms in enumerate(layout.vectors):
        record['vector_terms'][k] = begin
        for node, weight in terms:
            record['term_node'][begin], record['term_weight'][begin] = node, weight
            begin += 1
    record['vector_terms'][len(layout.vectors)] = begin
    _write_solids(record, layout)
    row = k = 0
    for equation in equations:
        if isinstance(equation, SpatialEquation):
            record['space_kind'][k] = SpatialEquationNumber[equation.kind.upper()]
            record['space_row'][k] = row
            record['space_vector'][k] = record['space_scalar'][k] = NONE
            record['space_vector'][k, :len(equation.vectors)] = equation.vectors
            record['space_scalar'][k, :len(equation.scalars)] = equation.scalars
            record['space_value'][k, :len(equation.value)] = equation.value
            k += 1
        row += equation.rows
    record['spatial_equations'] = k
    _write_pattern(record, layout, elements, rows)
    if elimination:
        _write_elimination(record, elimination)
    record['elements'] = len(elements)
    for k, element in enumerate(elements):
        assert isinstance(element, SpatialElement)
        record['element_kind'][k] = SpatialElementNumber[element.kind.upper()]
        index = *element.index, *element.states
        record['element_index'][k, :len(index)] = index
        record['element_value'][k, :len(element.values)] = element.values
    for k, (index, value) in enumerate(rolls_of(layout)):
        record['rolls'] = k + 1
        record['roll_index'][k], record['roll_value'][k] = index, value
    record['scale'][:len(layout.names)] = layout.scales()
    n, start = len(layout.names), layout.start_positions()
    record['fixed'][n:layout.n_total] = start[n:]


def acting_together(layout: SpatialLayout, equations: Sequence[Equation | SpatialEquation],
                    elements: Sequence[SpatialElement], rows: Sequence[list[int]]
                    ) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Return (addressed, coupled, points) for compilation.sparse_structure."""
    first = np.cumsum([0, *(equation.rows for equation in equations)])[:-1]
    return ([rows[k] for k in first], coupled(layout, elements),
            [[k, k + 1, k + 2] for k in range(0, layout.moving, 3)])


def _write_pattern(record: Any, layout: SpatialLayout, elements: Sequence[SpatialElement],
                   rows: Sequence[list[int]]) -> None:
    """Write where phi_q and tangents have entries."""
    begin = 0
    for k, columns in enumerate(rows):
        record['row_entries'][k] = begin
        record['entry_column'][begin:begin + len(columns)] = columns
        record['row_moving'][k] = begin + sum(column < len(layout.names) for column in columns)
        begin += len(columns)
    record['row_entries'][len(rows)] = begin
    record['envelope'][:len(layout.names)] = envelope(layout, rows, elements)


def _write_elimination(record: Any, elimination: Elimination) -> None:
    """Write in which order tangents are eliminated, and where their factors have entries."""
    n, ends = len(elimination.order), np.cumsum([0, *map(len, elimination.later)])
    record['eliminated'][:n], record['piece'][:n] = elimination.order, elimination.pieces
    record['fill_row'][:n + 1] = ends
    record['fill_column'][:ends[-1]] = [k for row in elimination.later for k in row]


def _write_solids(record: Any, layout: SpatialLayout) -> None:
    """Write the bodies: their mass, their frames and their nodes; charts of orientations."""
    begin = 0
    record['solids'] = len(layout.solids)
    record['solid_frame'] = NONE
    for k, solid in enumerate(layout.solids):
        inertia = solid.inertia
        record['solid_mass'][k], record['solid_centre'][k] = solid.mass, solid.centre
        record['solid_inertia'][k] = (*np.diag(inertia), inertia[0, 1], inertia[0, 2],
                                      inertia[1, 2])
        record['solid_terms'][k] = begin
        for node, weight in solid.weights.items():
            record['solid_node'][begin], record['solid_weight'][begin] = node, weight
            begin += 1
    record['solid_terms'][len(layout.solids)] = begin
    for k, (name, body) in enumerate(layout.bodies.items()):
        frame = layout.frame(name)
        if body.shaped and body.mass > 0.0:
            record['solid_gyration'][k] = record['solid_inertia'][k] / body.mass
        record['solid_line'][k] = body.line if layout.is_slender(name) else 0.0
        record['solid_frame'][k, :len(frame)] = frame
    record['charts'] = len(layout.charts)
    for k, (body, (nodes, coordinates)) in enumerate(layout.charts.items()):
        record['chart_axis'][k] = layout.frame(body)[1:]
        record['chart_node'][k], record['chart_coordinate'][k] = nodes, coordinates
