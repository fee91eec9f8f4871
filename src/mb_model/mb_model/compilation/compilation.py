"""From a validated description to the record that kernels work on."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mb_model.arrays import RecordArray
from mb_model.compilation.beams import PART, body_parts
from mb_model.compilation.equations import equations_of
from mb_model.compilation.layout import Layout, layout_of
from mb_model.compilation.spatial import record as spatial_record
from mb_model.compilation.spatial.elimination import Elimination, row_columns
from mb_model.compilation.spatial.layout import SpatialLayout
from mb_model.constraints.equation import Equation
from mb_model.forces.element import Characteristic, Element
from mb_model.forces.kinds.load_friction import by_load
from mb_model.jit import compile_postponed
from mb_model.kernels.force_elements import points_of
from mb_model.kernels.programs import EXPRESSIONS
from mb_model.mechanism_file.description import Body, Description, MechanismError
from mb_model.mechanism_file.expressions import ExpressionError
from mb_model.mechanism_file.programs import VARIABLE, motion_program, program_of, term_of
from mb_model.record import LARGEST_DENSE, MODEL, PENALTY, SIZES_IN_SPACE
from mb_model.record.sparse import LARGEST, SPARSE_MODEL, storage_of
from mb_model.registry import constraints, forces, spatial
from mb_model.registry.constraints import ConstraintKind
from mb_model.registry.joints import kind_of
from mb_model.space.equation import SpatialEquation
from mb_model.space.force import SpatialElement

USUALLY_DENSE = 150     # coordinates n_total, or equations, up to which matrices are stored in full
_PLANAR_SLOTS = 12      # coordinates that one equation may address: x and y of six points

def compile_model(description: Description, storage: str | None = None,
                  left_out: frozenset[int] = frozenset(),
                  layout: Layout | SpatialLayout | None = None
                  ) -> tuple[RecordArray, tuple[Equation | SpatialEquation, ...]]:
    """Return (model, equations): an array of one element, and what its constraints mean.

    storage: 'dense' for a MODEL, 'sparse' for a SPARSE_MODEL, None for a MODEL if it is not large.
    left_out: indices of redundant equations in equations_of; layout: of a description with
    other independent coordinates.  Raises MechanismError if the mechanism is too large.
    """
    layout = layout_of(description) if layout is None else layout
    equations = tuple(equation for k, equation in enumerate(equations_of(description, layout))
                      if k not in left_out)
    elements = [_element(layout, force) for force in description.forces.values()]
    storage = _checked_storage(description, layout, equations, storage)
    rows = row_columns(layout, equations) if description.dimension == 3 else []
    elimination = spatial_record.elimination_of(layout, rows, _in_space(elements)) if (
        description.dimension == 3 and storage == 'dense') else None
    kind = SPARSE_MODEL if storage == 'sparse' else MODEL
    model = kind.of({
        'coordinates': _largest(layout, equations), 'independent': len(description.independent),
        'driven': len(description.prescribed), 'curves': len(_curves(elements)),
        'row_slots': max(map(len, rows), default=_PLANAR_SLOTS),
        **_sizes(description, layout, equations, elements, rows, elimination)})
    record = model[0]
    n, g = len(layout.names), len(description.independent)
    record['driven'] = len(description.prescribed)
    record['n'], record['n_total'] = n, layout.n_total
    record['m'], record['g'] = sum(equation.rows for equation in equations), g
    independent = [layout.index(name) for name in description.independent]
    record['independent'][:g] = independent
    dependent = [k for k in range(n) if k not in independent]
    record['dependent'][:n - g] = spatial_record.dependent_order(
        dependent, rows) if elimination else dependent
    record['gravity'][:description.dimension] = description.gravity
    record['scale'] = layout.size
    added = list(description.coordinates.values())
    record['scale'][n - len(added):n] = [
        1.0 if one.unit == 'rad' or one.of else layout.size for one in added]
    record['own_inertia'][n - len(added):n] = [one.armature if one.inertia is None else one.inertia
                                               for one in added]
    heaviest = _heaviest(description, layout.size)
    _write_equations(record, equations, PENALTY * heaviest, list(description.bodies))
    _write_motions(record, description)
    _write_forces(record, [one for one in elements if isinstance(one, Element)])
    _write_curves(record, description, _curves(elements))
    if description.dimension == 3:
        _write_space(record, description, layout, equations, _in_space(elements), rows,
                     elimination)
    else:
        _write_plane(record, description, layout, equations, storage == 'sparse')
    prepare_kernels(model)
    return model, equations


def _heaviest(description: Description, size: float) -> float:
    """Return the mass of the heaviest body, or of an armature at the mechanism's size [kg].

    1 kg where the file says no masses.
    """
    geared = [one.armature / (size * size if one.unit == 'rad' else 1.0)
              for one in description.coordinates.values()]
    return max(*(body.mass for body in description.bodies.values()), *geared, 0.0) or 1.0


def _write_space(record: Any, description: Description, layout: SpatialLayout,
                 equations: Sequence[Equation | SpatialEquation],
                 elements: Sequence[SpatialElement], rows: Sequence[list[int]],
                 elimination: Elimination | None) -> None:
    spatial_record.write_space(record, layout, equations, elements, rows, elimination)
    if elimination is None:      # sparse storage
        record['pairs'] = sum(len(solid.weights) ** 2 for solid in layout.solids)
        _write_structure(record, equations, *spatial_record.acting_together(
            layout, equations, elements, rows), description.file)


def _write_plane(record: Any, description: Description, layout: Layout,
                 equations: Sequence[Equation], sparse: bool) -> None:
    _write_bodies(record, description.bodies.values(), layout)
    for name, size in layout.vector_sizes():
        k = layout.points[name]
        record['scale'][k:k + 2] *= size
    for point in description.points.values():
        if point.fixed:
            k = layout.points[point.name]
            record['fixed'][k:k + 2] = point.position
    if sparse:
        acting = [record['body_index'][k] for k in range(int(record['bodies']))]
        acting += [record['force_index'][k, :max(points_of(record['force_kind'][k]), 1)]
                   for k in range(len(description.forces))]
        points = set(layout.points.values())
        _write_structure(record, equations, [_with_y(one.index, points) for one in equations],
                         [_with_y(index, points) for index in acting],
                         [[k, k + 1] for k in points], description.file)


def _write_structure(*arguments: Any) -> None:
    """Write where matrices without zeros have their numbers, see sparse_structure."""
    # Imported here: scipy takes a tenth of a second.
    from mb_model.compilation.sparse_structure import write_structure
    write_structure(*arguments)


def _with_y(index: Iterable[int], points: set[int]) -> list[int]:
    """Return the coordinates that an element in the plane with these indices addresses.

    points: indices of the x of points, which bring their y.
    """
    return sorted({k for i in index for k in ((i, i + 1) if i in points else (i,))})


def prepare_kernels(model: RecordArray) -> None:
    """Compile, or load, the kernels of what a model has and most have not, before their first call.

    For large mechanisms, for space, for expressions and rare forces.
    """
    record, later = model[0], storage_of(model) == 'sparse'
    if later:
        compile_postponed()
    if record['solids'] > 0:
        spatial.IN_SPACE.met(later)
    if record['driven'] > 0 or record['curves'] > 0:
        EXPRESSIONS.met(later)
    if any(forces.element_kind(kind).is_rare
           for kind in record['force_kind'][:record['forces']]):
        forces.RARE.met(later)


def _sizes(description: Description, layout: Layout | SpatialLayout,
           equations: Sequence[Equation | SpatialEquation], elements: Sequence[Any],
           rows: Sequence[list[int]], elimination: Elimination | None) -> dict[str, int]:
    """Return sizes of a model that follow from its dimension."""
    forces = sum(isinstance(element, Element) for element in elements)
    if description.dimension == 3:
        return {'bodies': 0, 'forces': forces} | spatial_record.sizes_of_space(
            layout, equations, _in_space(elements), rows, elimination)
    return dict.fromkeys(SIZES_IN_SPACE, 0) | {
        'bodies': len(body_parts(description.bodies.values(), layout)),
        'links': len(description.bodies), 'forces': forces}


def _in_space(elements: Iterable[Any]) -> list[SpatialElement]:
    """Return the SpatialElements among elements."""
    return [element for element in elements if isinstance(element, SpatialElement)]


def _curves(elements: Iterable[Any]) -> list[Characteristic]:
    """Return the Characteristics among elements."""
    return [element for element in elements if isinstance(element, Characteristic)]


def _write_curves(record: Any, description: Description, curves: Sequence[Characteristic]) -> None:
    """Write the programs of forces by expressions; raises MechanismError for a wrong one."""
    record['curves'] = len(curves)
    for k, curve in enumerate(curves):
        record['curve_coordinate'][k] = curve.index
        for part, (key, variable) in enumerate((('of_coordinate', 'x'), ('of_rate', 'v'))):
            expression = curve.expressions[part]
            try:
                program = program_of(term_of(expression, description.parameters | {
                    variable: VARIABLE}))
            except ExpressionError as error:
                raise MechanismError(f'{description.file}: forces.{curve.name}.{key}: '
                                     f'{expression!r} {error}') from None
            record['curve_operations'][k, part] = program['operations']
            record['curve_numbers'][k, part] = program['numbers']


def _element(layout: Layout | SpatialLayout, force: Any
             ) -> Element | Characteristic | SpatialElement:
    """Return the Element or SpatialElement of a force."""
    kinds = forces.FORCES if layout.dimension == 2 else spatial.FORCES
    return kinds[force.kind].element(layout, force)


def _largest(layout: Layout | SpatialLayout, equations: Sequence[Equation | SpatialEquation]
             ) -> int:
    """Return the number of coordinates or, if these are more, equations."""
    return max(layout.n_total, sum(equation.rows for equation in equations))


def _checked_storage(description: Description, layout: Layout | SpatialLayout,
                     equations: Sequence[Equation | SpatialEquation], storage: str | None) -> str:
    """Return 'dense' or 'sparse'; raise MechanismError if the mechanism is too large for it."""
    largest = _largest(layout, equations)
    dense_alone = {
        **{one.name: 'a state of a force is' for one in description.coordinates.values()
           if one.inertia is not None},
        **{f'joints.{name}': 'bodies that roll are' for name, one in description.joints.items()
           if kind_of(one).rolls},
        **{f'forces.{name}': 'friction by load is' for name in by_load(description.forces)}}
    if storage == 'sparse' or largest > LARGEST_DENSE:
        for name, what in dense_alone.items():
            raise MechanismError(
                f'{description.file}: {name}: {what} for dense matrices, of at most '
                f'{LARGEST_DENSE} coordinates and constraint equations; this one has {largest}')
    if storage is None:
        storage = 'dense' if largest <= USUALLY_DENSE or (
            largest <= LARGEST_DENSE and (dense_alone or description.hydraulics)) else 'sparse'
    most = LARGEST_DENSE if storage == 'dense' else LARGEST[description.dimension]
    if largest > most:
        what = 'coordinates' if largest == layout.n_total else 'constraint equations'
        raise MechanismError(f'{description.file}: {largest} {what}, at most {most} are possible')
    return storage


def _write_equations(record: Any, equations: Sequence[Equation | SpatialEquation], penalty: float,
                     bodies: Sequence[str]) -> None:
    row = k = 0
    for equation in equations:
        record['stiffness'][row:row + equation.rows] = penalty / equation.slope ** 2
        if not isinstance(equation, Equation):
            row += equation.rows
            continue
        record['constraint_kind'][k] = constraints.number_of(equation.kind)
        record['constraint_row'][k] = row
        record['constraint_index'][k, :len(equation.index)] = equation.index
        record['constraint_value'][k, :len(equation.value)] = equation.value
        owner = next(iter(equation.bodies), None)
        record['constraint_body'][k] = -1 if owner is None else bodies.index(owner)
        row += equation.rows
        k += 1
    record['constraints'] = k


def _write_motions(record: Any, description: Description) -> None:
    """Write the prescribed coordinates and which equations they follow."""
    n_total, driven = int(record['n_total']), int(record['driven'])
    kinds, indices = record['constraint_kind'], record['constraint_index']
    for k, constraint in enumerate(description.prescribed.values()):
        equation = np.flatnonzero((kinds == ConstraintKind.PRESCRIBED)
                                  & (indices[:, 1] == n_total - driven + k))
        program = motion_program(constraint.motion, description.parameters)
        record['driven_coordinate'][k] = indices[equation[0], 0]
        record['driven_row'][k] = record['constraint_row'][equation[0]]
        record['driven_operations'][k] = program['operations']
        record['driven_numbers'][k] = program['numbers']


def _write_bodies(record: Any, bodies: Iterable[Body], layout: Layout) -> None:
    parts = body_parts(bodies, layout)
    record['bodies'] = len(parts)
    for k, part in enumerate(parts):
        for name, value in zip(PART, part, strict=True):
            record[f'body_{name}'][k] = value


def _write_forces(record: Any, elements: Sequence[Element]) -> None:
    record['forces'] = len(elements)
    for k, element in enumerate(elements):
        record['force_kind'][k] = forces.number_of(element.kind)
        record['force_index'][k, :len(element.index)] = element.index
        record['force_value'][k, :len(element.values)] = element.values
