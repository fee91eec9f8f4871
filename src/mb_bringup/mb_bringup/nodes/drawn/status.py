"""What the estimator says of itself, in words beside the mechanism."""

from textwrap import wrap

from visualization_msgs.msg import Marker

from mb_bringup.nodes.drawn.marker import COLOURS, new_marker, planar_pose

WIDTH = 60                  # of the text [characters]
_WORRIED = (0.75, 0.10, 0.10)


def status_marker(header, status, distrust, place, size):
    """Return the Marker of an EstimatorStatus and of why its estimates are not relied on, if so.

    place: of the text (2) [m]; size: of the mechanism [m].
    """
    lines = [f'{status.estimator}: NIS {status.nis:.2f}, {len(status.channels)} channels']
    inconsistent = [one.sensor for one in status.consistency if one.verdict]
    worries = [f'inconsistent: {", ".join(inconsistent)}'] if inconsistent else []
    worries = wrap('; '.join([*worries, *filter(None, [distrust])]), WIDTH)
    colour = _WORRIED if worries else COLOURS['observer']
    marker = new_marker(header, 'observer: status', 0, Marker.TEXT_VIEW_FACING, colour,
                        scale=(0.0, 0.0, 0.035 * size))
    marker.pose = planar_pose(*place)
    marker.text = '\n'.join(lines + worries)
    return marker
