"""The status of estimators, as text beside the mechanism."""

from collections.abc import Sequence
from textwrap import wrap

from geometry_msgs.msg import Point
import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker
from mb_interfaces.msg import EstimatorStatus, PayloadEstimate
from mb_ros.states import xyz

HEIGHT = 0.035              # of the text, in the mechanism's size
WIDTH = 60                  # of the text [characters]
_WORRIED = (0.75, 0.10, 0.10)


def status_marker(header: Header, status: EstimatorStatus, distrust: str, position: np.ndarray,
                  size: float) -> Marker:
    """Return the Marker of an EstimatorStatus and of why its estimates are not relied on, if so.

    position: of the text (3) [m]; size: of the mechanism [m].
    """
    lines = [f'{status.estimator}: NIS {status.nis:.2f}, {len(status.channels)} channels']
    # A message may name more hypotheses than it weighs.
    chances = list(zip(status.hypothesis_probabilities, status.hypotheses, strict=False))
    if chances:
        chance, name = max(chances)
        lines.append(f'{name}: probability {chance:.2f}')
    inconsistent = [one.sensor for one in status.consistency if one.verdict]
    worries = [f'lost: {status.lost}'] if status.lost else []
    worries += [f'inconsistent: {", ".join(inconsistent)}'] if inconsistent else []
    worries = wrap('; '.join([*worries, *filter(None, [distrust])]), WIDTH)
    colour = _WORRIED if worries else COLOURS['observer']
    return _words(header, 'observer: status', lines + worries, colour, position, size)


def mass_marker(header: Header, payload: PayloadEstimate, position: np.ndarray,
                size: float) -> Marker:
    """Return the Marker of a PayloadEstimate with deviations; others: as of status_marker."""
    lines = [f'{name}: {mass:.4g} +- {deviation:.2g} kg' for name, mass, deviation in zip(
        payload.parameter, payload.mass, payload.deviation, strict=True)]
    return _words(header, 'observer: masses', lines, COLOURS['observer'], position, size)


def _words(header: Header, namespace: str, lines: Sequence[str],
           colour: tuple[float, float, float], position: np.ndarray, size: float) -> Marker:
    marker = new_marker(header, namespace, 0, Marker.TEXT_VIEW_FACING, colour,
                        scale=(0.0, 0.0, HEIGHT * size))
    marker.pose.position = Point(**xyz(position))
    marker.text = '\n'.join(lines)
    return marker
