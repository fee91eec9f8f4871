"""What authors of kinds and plugins use: of all kinds of mb_model, and how plugins are found."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.constraints.equation import Equation, EquationKind
    from mb_model.constraints.relation import Constraint, RelationKind
    from mb_model.forces.element import Element, ElementKind, ForceKind
    from mb_model.forces.kinds.lugre import BENDS_ALWAYS, bend
    from mb_model.formulations.formulation import FormulationKind, Integrates
    from mb_model.mechanism_file.schema.page import schema_page
    from mb_model.pictures.plane.shapes import shapes_of
    from mb_model.registry.constraints import ConstraintKind
    from mb_model.registry.forces import ForceElement, element_kind
    from mb_model.registry.kind_modules import plugin_class, plugin_names
    from mb_model.shapes import RADIUS, BodyShape, ShapeKind
    from mb_model.space.equations.products import product_equation
    from mb_model.space.joint import Joint, JointKind, along_axes
    from mb_model.space.joints.joining import (
        axes_agree,
        between,
        direction,
        frames_agree,
        perpendicular,
        points_meet,
    )
    from mb_model.space.motion import moving_by, slide, turn
    from mb_model.stepping.formulation_stepper import formulations_table
    from mb_model.valves.valve import NOMINAL, SPOOL, Orifice, Valve, ValveKind, port, start
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
