"""What chains of segments in place of bodies share."""

SEGMENTS = 12


def start_place(mechanism, point):
    """Return the place of a point at the start, as a list [m]."""
    if mechanism.points[point].fixed:
        return list(mechanism.points[point].position)
    k = mechanism.point_index(point)
    return mechanism.q0[k:k + 2].tolist()
