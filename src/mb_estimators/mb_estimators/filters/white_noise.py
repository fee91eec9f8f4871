"""Filters of z, zd and biases to which the accelerations are disturbed by white noise."""

from mb_estimators.filter.layout import Block, Layout, motion_blocks
from mb_estimators.filters.channels import bias_block
from mb_estimators.filters.model_filter import ModelFilter


class WhiteNoiseFilter(ModelFilter):
    """A filter of z, zd and biases of sensors, with WhiteNoiseSettings; then further blocks."""

    def _layout(self) -> Layout:
        return Layout([*motion_blocks(self.mechanism, 2 * [self.settings.initial_variance]),
                       bias_block(self.sensors), *self._further_blocks()])

    def _further_blocks(self) -> tuple[Block, ...]:
        """Return the blocks of states behind the biases."""
        return ()

    def _prepare(self) -> None:
        super()._prepare()
        self._filter['acceleration_psd'][:self._g] = self.settings.acceleration_psd
