"""The model server: kinematics and dynamics of a mechanism as services."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_interfaces.srv import (
    DescribeMechanism,
    ForwardDynamics,
    InverseDynamics,
    Linearise,
    Reactions,
    SolveAcceleration,
    SolvePosition,
    SolveVelocity,
)
from mb_model.arrays import FloatArray
from mb_model.assembly.requirements import require_sensible
from mb_model.mechanism import load_mechanism
from mb_model.mechanism_file.file import import_notes
from mb_model.model_errors import ModelErrors, apply_model_errors
from mb_model.nodes.model_messages import describe, not_finite, numbers_of, reaction_messages
from mb_model.settings import Settings, setting
from mb_model.warm_up import warm_up_answers
from mb_ros.guards import GuardedNode
from mb_ros.node_main import NodeMain
from mb_ros.parameters import declare_settings
from mb_ros.states import doubles


@dataclass(frozen=True)
class ServerSettings(Settings):
    """Which mechanism is served."""

    mechanism: str = setting('four_bar', help='Name of a mechanism or path of its file')


class ModelServerNode(GuardedNode):
    """Answers each request from the mechanism; what cannot be solved is stated in the response."""

    def __init__(self, **options: Any) -> None:
        super().__init__('model_server', **options)
        settings = declare_settings(self, ServerSettings)
        errors = declare_settings(self, ModelErrors, 'model_errors.')
        self._mechanism = apply_model_errors(load_mechanism(settings.mechanism), errors)
        warm_up_answers()
        for kind, name, solve in (
                (SolvePosition, 'solve_position', self._solve_position),
                (SolveVelocity, 'solve_velocity', self._solve_velocity),
                (SolveAcceleration, 'solve_acceleration', self._solve_acceleration),
                (ForwardDynamics, 'forward_dynamics', self._forward_dynamics),
                (InverseDynamics, 'inverse_dynamics', self._inverse_dynamics),
                (Reactions, 'reactions', self._reactions),
                (Linearise, 'linearise', self._linearise),
                (DescribeMechanism, 'describe_mechanism', self._describe)):
            self.create_service(kind, f'~/{name}', _answering(solve))
        for note in import_notes(self._mechanism.raw):
            self.get_logger().info(f'{self._mechanism.name}: {note}')
        self.get_logger().info(f'serving {self._mechanism.name}: degrees of freedom '
                               f'{", ".join(self._mechanism.independent)}')

    def _solve_position(self, request: Any, response: Any) -> None:
        q = self._assemble(request)
        response.q = doubles(q)
        response.residual = self._mechanism.closing_error(q)

    def _solve_velocity(self, request: Any, response: Any) -> None:
        q = self._assemble(request)
        response.qd = doubles(self._mechanism.velocity(q, request.zd))
        response.q = doubles(q)

    def _solve_acceleration(self, request: Any, response: Any) -> None:
        q = self._assemble(request)
        qd = self._mechanism.velocity(q, request.zd)
        response.qdd = doubles(self._mechanism.acceleration(q, qd, request.zdd))
        response.q, response.qd = doubles(q), doubles(qd)

    def _forward_dynamics(self, request: Any, response: Any) -> None:
        response.zdd = doubles(self._mechanism.forward_dynamics(
            request.z, request.zd, _given(request.force), _given(request.near)))

    def _inverse_dynamics(self, request: Any, response: Any) -> None:
        response.force = doubles(self._mechanism.inverse_dynamics(
            request.z, request.zd, request.zdd, _given(request.near),
            request.formulation or None))

    def _reactions(self, request: Any, response: Any) -> None:
        reactions = self._mechanism.reactions(
            request.z, request.zd, _given(request.force), _given(request.near),
            request.formulation or None)
        response.reactions = reaction_messages(self._mechanism, self._assemble(request), reactions)

    def _linearise(self, request: Any, response: Any) -> None:
        a, b = self._mechanism.linearise(
            request.z, request.zd, _given(request.force), _given(request.near))
        response.a, response.b = doubles(a.ravel()), doubles(b.ravel())

    def _describe(self, request: Any, response: Any) -> None:
        describe(self._mechanism, response)

    def _assemble(self, request: Any) -> FloatArray:
        return self._mechanism.assemble(request.z, _given(request.near))


def _answering(solve: Callable[[Any, Any], None]) -> Callable[[Any, Any], Any]:
    """Return a service callback that fills the response by `solve` and puts its errors into it.

    What is asked must be sensible, and what is answered finite; otherwise nothing is answered.
    """
    def answer(request: Any, response: Any) -> Any:
        try:
            for name, numbers in numbers_of(request):
                require_sensible(name, numbers)
            with np.errstate(all='ignore'):
                solve(request, response)
            unusable = not_finite(response)
            if unusable:
                raise ValueError(f'{", ".join(unusable)}: the answer is not finite')
            response.success = True
        except (ArithmeticError, ValueError) as error:
            response = type(response)(message=str(error))
            _keep_residual(error, response)
        return response
    return answer


def _keep_residual(error: Exception, response: Any) -> None:
    """Say how far from closed a position is that could not be closed."""
    residual = float(getattr(error, 'residual', np.nan))
    if hasattr(response, 'residual') and np.isfinite(residual):
        response.residual = residual


def _given(values: Sequence[float]) -> Sequence[float] | None:
    """Return an array of a request, None for an empty one."""
    return values if len(values) else None


main = NodeMain(ModelServerNode)
