"""Surfaces: triangles with normals, and the edges that are drawn as lines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray, IntArray
from mb_model.space.shape import Solid

SEGMENTS = 48       # around what is round


@dataclass(frozen=True)
class Mesh:
    """Triangles (t, 3) of vertices (v, 3) [m] with normals (v, 3); edges (e, 2) are lines."""

    vertices: FloatArray
    normals: FloatArray
    triangles: IntArray
    edges: IntArray

    def moved(self, origin: FloatArray, axes: FloatArray) -> 'Mesh':
        """Return it in another frame: its own has this origin (3) and axes as columns (3, 3)."""
        return Mesh(origin + self.vertices @ axes.T, self.normals @ axes.T, self.triangles,
                    self.edges)


def joined(meshes: list[Mesh]) -> Mesh:
    """Return several meshes as one."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    vertices, normals = (np.concatenate([getattr(mesh, name) for mesh in meshes])
                         for name in ('vertices', 'normals'))
    triangles, edges = (np.concatenate([getattr(mesh, name) + start for mesh, start in zip(
        meshes, starts, strict=False)]) for name in ('triangles', 'edges'))
    return Mesh(vertices, normals, triangles, edges)


def box(x: float, y: float, z: float) -> Mesh:
    """Return a box around the origin with these edges."""
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    vertices, normals, triangles, edges = [], [], [], []
    for axis in range(3):
        for side in (-1.0, 1.0):
            start = 4 * len(normals)
            face = np.empty((4, 3))
            face[:, axis] = side
            face[:, [(axis + 1) % 3, (axis + 2) % 3]] = corners if side > 0.0 else corners[::-1]
            vertices.append(face)
            normals.append(side * np.eye(3)[axis])
            triangles += [[start, start + 1, start + 2], [start, start + 2, start + 3]]
            edges += [[start + k, start + (k + 1) % 4] for k in range(4)]
    return Mesh(np.concatenate(vertices) * (0.5 * np.array([x, y, z])), np.repeat(normals, 4, 0),
                np.array(triangles), np.array(edges))


def revolved(profile: list[tuple[float, float]], smooth: bool = False,
             segments: int = SEGMENTS) -> Mesh:
    """Return what a profile, positions (radius, z), sweeps when it turns about z.

    The surface is on its left.  smooth: its corners are no edges.
    """
    profile = np.array(profile, float)
    turn = np.linspace(0.0, 2.0 * np.pi, segments, endpoint=False)
    around = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    steps = np.diff(profile, axis=0)
    slopes = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    slopes /= np.linalg.norm(slopes, axis=1, keepdims=True)
    vertices, normals, triangles, edges = [], [], [], []
    next_ = np.roll(np.arange(segments), -1)
    for k, slope in enumerate(slopes):
        start = segments * k if smooth else 2 * segments * k
        low, high = start + np.arange(segments), start + segments + np.arange(segments)
        triangles += [np.c_[low, low[next_], high[next_]], np.c_[low, high[next_], high]]
        ends = list(zip(profile[k:k + 2], _at_ends(slopes, k, slope, smooth), (low, high),
                        strict=True))
        for corner, normal, ring in ends[int(smooth and k > 0):]:
            vertices.append(np.c_[corner[0] * around, np.full(segments, corner[1])])
            normals.append(np.c_[normal[0] * around, np.full(segments, normal[1])])
            if not smooth and corner[0] > 0.0:
                edges.append(np.c_[ring, ring[next_]])
    return Mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(triangles),
                np.concatenate(edges) if edges else np.empty((0, 2), int))


def _at_ends(slopes: FloatArray, k: int, slope: FloatArray, smooth: bool) -> Sequence[FloatArray]:
    """Return the normals (2), (2) at both ends of part k of a profile."""
    if not smooth:
        return slope, slope
    both = [slope + slopes[max(k - 1, 0)], slope + slopes[min(k + 1, len(slopes) - 1)]]
    return [one / np.linalg.norm(one) for one in both]


def cylinder(radius: float, length: float) -> Mesh:
    """Return a cylinder along z around the origin."""
    half = 0.5 * length
    return revolved([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])


def tube(radius: float, length: float, inner: float) -> Mesh:
    """Return a hollow cylinder along z around the origin."""
    half = 0.5 * length
    return revolved([(inner, half), (inner, -half), (radius, -half), (radius, half),
                     (inner, half)])


def sphere(radius: float) -> Mesh:
    """Return a ball around the origin."""
    angle = np.linspace(-0.5 * np.pi, 0.5 * np.pi, SEGMENTS // 3 + 1)
    return revolved(list(zip(radius * np.cos(angle), radius * np.sin(angle), strict=True)), True)


def cone(radius: float, length: float) -> Mesh:
    """Return a cone from its tip at the origin down along z."""
    return revolved([(0.0, -length), (radius, -length), (0.0, 0.0)])


def coil(radius: float, wire: float, length: float, turns: int) -> Mesh:
    """Return a coil spring from the origin along z."""
    around, along = 8, 20 * turns + 1
    angle = np.linspace(0.0, 2.0 * np.pi * turns, along)
    out = np.stack([np.cos(angle), np.sin(angle), np.zeros(along)], axis=1)
    middle = radius * out + np.outer(np.linspace(0.0, length, along), [0.0, 0.0, 1.0])
    phase = np.linspace(0.0, 2.0 * np.pi, around, endpoint=False)
    normals = (np.cos(phase)[:, None] * out[:, None]
               + np.sin(phase)[:, None] * np.array([0.0, 0.0, 1.0]))
    vertices = middle[:, None] + wire * normals
    k, j = np.meshgrid(np.arange(along - 1), np.arange(around), indexing='ij')
    corner = (k * around + j).ravel()
    beside = (k * around + (j + 1) % around).ravel()
    triangles = np.concatenate([np.c_[corner, beside + around, beside],
                                np.c_[corner, corner + around, beside + around]])
    return Mesh(vertices.reshape(-1, 3), normals.reshape(-1, 3), triangles,
                np.empty((0, 2), int))


SOLIDS = {'box': box, 'cylinder': cylinder, 'tube': tube, 'sphere': sphere, 'rod': cylinder}


def mesh_of(solid: Solid) -> Mesh:
    """Return the mesh of a Solid in its body's frame."""
    return SOLIDS[solid.kind](*solid.size).moved(solid.centre, solid.axes)
