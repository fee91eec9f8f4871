"""When an estimator reported that its estimate could not be right."""

from typing import Any

import numpy as np

from mb_evaluation.accuracy.errors import settled


class LostEstimates:
    """Notes of every estimate whether it was lost, by its stamp."""

    def __init__(self) -> None:
        self._why: dict[int, str] = {}        # stamp [ns] -> why, empty if it was not

    def add(self, stamp: int, why: str) -> None:
        """Note why the estimate of a stamp [ns] cannot be right; empty if it can."""
        self._why[stamp] = why

    def figures(self, start: int) -> dict[str, Any]:
        """Return the share of settled estimates that were lost, and the last reason.

        start: of the run [ns].
        """
        stamps = np.array(sorted(self._why), np.int64)
        late = stamps[settled((stamps - start) * 1e-9)].tolist() if len(stamps) else []
        lost = [stamp for stamp in late if self._why[stamp]]
        return {'share_after_2s': len(lost) / len(late) if late else 0.0,
                'at_end': bool(late) and bool(self._why[late[-1]]),
                'why': self._why[lost[-1]] if lost else ''}


def lost_line(figures: dict[str, Any]) -> str:
    """Return in a sentence how long an estimate was lost, empty if it was not; see figures()."""
    if not figures['why']:
        return ''
    share = max(1.0, 100.0 * figures['share_after_2s'])
    when = 'and still at the end' if figures['at_end'] else 'but not at the end'
    return f'lost in {share:.0f} % of the time after 2 s, {when}: {figures["why"]}'
