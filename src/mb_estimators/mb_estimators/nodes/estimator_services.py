"""Services of a running estimator: set its state, switch sensors."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from mb_estimators.estimator_setup import EstimatorSetup
from mb_estimators.stream import Step
from mb_interfaces.srv import EnableSensor, SetState
from mb_ros.checked_stamps import NANOSECONDS
from mb_ros.managed_node import ManagedNode
from mb_ros.stamps import nanoseconds


class EstimatorServices:
    """Answers requests to set the state and to switch sensors."""

    kinds: ClassVar[dict[str, type]] = {
        '~/set_state': SetState, '~/enable_sensor': EnableSensor}

    def __init__(self, node: ManagedNode, setup: EstimatorSetup,
                 use: Callable[[list[Step]], object]) -> None:
        """Set up for a node with these services, and its EstimatorSetup.

        use(steps): publishes Steps.
        """
        self._setup, self._use = setup, use
        node.serve('~/set_state', self._set_state)
        node.serve('~/enable_sensor', self._enable_sensor)

    def _set_state(self, request: Any, response: Any) -> Any:
        """Put the filter at the state of a request."""
        if request.stamp.nanosec >= NANOSECONDS:
            response.message = (f'stamp: nanosec {request.stamp.nanosec} must be less than '
                                f'{NANOSECONDS}')
            return response
        z, stamp = list(request.z), nanoseconds(request.stamp)
        zd = list(request.zd) or [0.0] * len(z)
        return self._answer(response, lambda: self._setup.stream.set_state(
            z, zd, _square(request.covariance), stamp or None))

    def _enable_sensor(self, request: Any, response: Any) -> Any:
        """Use the readings of a sensor, or ignore them."""
        return self._answer(
            response, lambda: self._setup.stream.enable(request.sensor, request.enabled))

    def _answer(self, response: Any, act: Callable[[], list[Step]]) -> Any:
        """Publish the Steps that an action completes, or answer why it is impossible."""
        try:
            steps = act()
        except ValueError as error:
            response.message = str(error)
            return response
        response.success = True
        self._use(steps)
        return response


def _square(numbers: Sequence[float]) -> list[list[float]] | None:
    """Return the matrix of numbers given row by row, None for none.  Raises ValueError."""
    if not len(numbers):
        return None
    size = round(len(numbers) ** 0.5)
    if size * size != len(numbers):
        raise ValueError(f'covariance: {len(numbers)} numbers make no square matrix')
    return [list(numbers[size * row:size * (row + 1)]) for row in range(size)]
