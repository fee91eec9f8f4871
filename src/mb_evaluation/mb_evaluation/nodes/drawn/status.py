"""The status of estimators, as text beside the mechanism."""

from textwrap import wrap

from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, planar_pose

HEIGHT = 0.035              # of the text, in the mechanism's size
WIDTH = 60                  # of the text [characters]
_WORRIED = (0.75, 0.10, 0.10)


def status_marker(header, status, distrust, place, size):
    """Return the Marker of an EstimatorStatus and of why its estimates are not relied on, if so.

    place: of the text (2 or 3) [m]; size: of the mechanism [m].
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
    return _words(header, 'observer: status', lines + worries, colour, place, size)


def mass_marker(header, payload, place, size):
    """Return the Marker of a PayloadEstimate with deviations; place, size as of status_marker."""
    lines = [f'{name}: {mass:.4g} +- {deviation:.2g} kg' for name, mass, deviation in zip(
        payload.parameter, payload.mass, payload.deviation, strict=True)]
    return _words(header, 'observer: masses', lines, COLOURS['observer'], place, size)


def _words(header, namespace, lines, colour, place, size):
    marker = new_marker(header, namespace, 0, Marker.TEXT_VIEW_FACING, colour,
                        scale=(0.0, 0.0, HEIGHT * size))
    marker.pose = planar_pose(*place)
    marker.text = '\n'.join(lines)
    return marker
