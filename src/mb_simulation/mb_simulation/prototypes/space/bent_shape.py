"""What modes of a flexible body in space follow from the segments of its chain.

Arrays (3, ...) are values, rates and accelerations, see rated_vectors.
"""

import numpy as np

from mb_simulation.prototypes.space.beam_chain import PIECES, segment_places
from mb_simulation.prototypes.space.rated_vectors import crossed, dotted, inverted, scaled, unit


class BentShape:
    """Fits modes to a chain, by least squares: deflections of segments, and how they are twisted.

    The frame of the body lies on the chord, its y axis across the z axis of the first section.
    """

    def __init__(self, mechanism, name):
        """Take a Mechanism and a flexible body of it."""
        body = mechanism.bodies[name]
        self._beam, self._name, self._places = body.beam, name, mechanism.places
        x, shape = segment_places(body), body.beam.shape
        self._fit = np.linalg.pinv(np.array([shape.deflection(at) for at in x[1:-1]]))
        torsion = body.beam.torsion
        self._untwist = None if torsion is None else np.linalg.pinv(
            np.array([torsion.twist(at) for at in x[1:]]))
        self._modes = mechanism.places(body.modes)
        self._shortening = (int(mechanism.places([body.shortening])[0]) if shape.modes > 1
                            else None)
        self._mode_nodes = self._nodes(f'{name}.shape{k + 1}' for k in range(shape.modes))
        self._twist_nodes = [self._nodes(f'{name}.turn{k + 1}.{axis}' for axis in 'yz')
                             for k in range(torsion.modes if torsion else 0)]

    def _nodes(self, names):
        return [self._places([f'{one}.{axis}' for axis in 'xyz']) for one in names]

    def frame(self, segments):
        """Return the frame of the body (3, 4, 3) by the frames of segments (3, N + 1, 4, 3)."""
        first, last = segments[:, 0], segments[:, PIECES]
        along = unit(last[:, 0] - first[:, 0])
        y = unit(crossed(first[:, 3], along))
        return np.stack([first[:, 0], along, y, crossed(along, y)], axis=1)

    def write(self, segments, frame, found):
        """Write modes, and nodes that follow from them, to found (3, n)."""
        beam, springs = self._beam, self._beam.springs
        away = segments[:, 1:-1, 0] - frame[:, :1]
        bent = {axis: dotted(away, frame[:, None, 1 + 'xyz'.index(axis)]) @ self._fit.T
                for axis in beam.bending}
        twisted = self._twists(segments[:, 1:, 3], frame)
        for place, spring in zip(self._modes, springs, strict=True):
            found[:, place] = (bent[spring.axis] if spring.axis else twisted)[:, spring.number]
        vectors = [sum(scaled(beam.shape.sizes[k] * modes[:, k], frame[:, 1 + 'xyz'.index(axis)])
                       for axis, modes in bent.items()) for k in range(beam.shape.modes)]
        for places, vector in zip(self._mode_nodes, vectors, strict=True):
            found[:, places] = vector
        if self._shortening is not None:
            found[:, self._shortening] = sum(
                dotted(one, one) for one in vectors[1:]) / beam.shape.length
        for k, (first, second) in enumerate(self._twist_nodes):
            found[:, first] = scaled(twisted[:, k], frame[:, 3])
            found[:, second] = scaled(-twisted[:, k], frame[:, 2])

    def _twists(self, across, frame):
        """Return the modes of torsion (3, k) by the z axes of segments (3, N, 3)."""
        if self._untwist is None:
            return None
        y, z = dotted(across, frame[:, None, 2]), dotted(across, frame[:, None, 3])
        angle = -scaled(inverted(z), y[..., None])[..., 0]
        return angle @ self._untwist.T
