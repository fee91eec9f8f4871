"""States z, zd and biases of filters to which white noise disturbs the accelerations."""

from typing import Any

from mb_estimators.filter.layout import Block, Layout, motion_blocks
from mb_estimators.filters.channels import bias_block


class WhiteNoise:
    """Of a ModelFilter with WhiteNoiseSettings: states z, zd, biases of sensors, further blocks."""

    def _layout(self: Any) -> Layout:
        return Layout([*motion_blocks(self.mechanism, 2 * [self.settings.initial_variance]),
                       bias_block(self.sensors), *self._further_blocks()])

    def _further_blocks(self) -> tuple[Block, ...]:
        """Return the blocks of states behind the biases."""
        return ()

    def _prepare(self: Any) -> None:
        super()._prepare()  # type: ignore[misc]
        self._filter['acceleration_psd'][:self._g] = self.settings.acceleration_psd
