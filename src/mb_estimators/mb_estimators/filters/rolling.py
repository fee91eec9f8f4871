"""What filters share that follow bodies that roll."""

from typing import Any

from mb_estimators.kernels.rolling import hold_bodies


class FollowsRolling:
    """Of a ModelFilter that steps by the matrix-R formulation and carries P.

    Noise, corrections and starts may let bodies slip a little: after each step neither the state
    nor its errors do.
    """

    follows_rolling = True

    def _step(self: Any, dt: float) -> bool:
        """Predict model and covariance over dt [s]; return False if the model cannot step."""
        if not super()._step(dt):  # type: ignore[misc]
            return False
        return not self.mechanism.rolling or hold_bodies(
            self._models, self._works, self._filters)
