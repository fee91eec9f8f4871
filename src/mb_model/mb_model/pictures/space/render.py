"""A scene as an image: shaded, with a floor, its grid and shadows."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from mb_model.arrays import FloatArray
from mb_model.pictures.parts.colours import parts_of
from mb_model.pictures.space.camera import Camera, axes_from, pixels
from mb_model.pictures.space.raster import blank, fill, halved, outline, stroke
from mb_model.pictures.space.scene import Scene, vertices

FINER = 2               # pixels of which a pixel of the picture is the mean, each way
_AMBIENT, _SKY, _SUN, _GLOSS = 0.58, 0.13, 0.36, 0.10
_WHITER = 0.22          # share of white in colours of bodies
_SHADOW = 0.80          # how bright it is
_GRID, _GRID_INK = 9, 0.86      # cells in the extent, at most, and how bright their lines are
_EDGE = 0.5             # how bright edges are, against their part


class Renderer:
    """Draws frames of a Scene, seen by a Camera, in a size (width, height) [pixels]."""

    def __init__(self, scene: Scene, camera: Camera, size: tuple[int, int]) -> None:
        """Set the light, and draw what does not move: the grid on the floor."""
        self._scene, self._camera = scene, camera
        self._width, self._height = (FINER * pixels for pixels in size)
        axes = axes_from(scene.up, 0.0, 0.0)
        right, _, towards = camera.axes
        light = 0.95 * scene.up - 0.45 * right + 0.55 * towards
        self._light = light / np.linalg.norm(light)
        half = self._light + towards
        self._half = half / np.linalg.norm(half)
        self._floor = scene.floor * scene.up
        self._level = axes[0], np.cross(scene.up, axes[0])
        self._colours = [np.array(parts_of(part.colour)) / 255.0 for part in scene.parts]
        self.cell, self._grid = self._grid_lines()

    def frame(self, k: int) -> NDArray[np.uint8]:
        """Return the picture of a frame, bytes (height, width, 3)."""
        image, depth, owner = blank(self._height, self._width)
        bodies = [vertices(part, k) for part in self._scene.parts]
        self._stroke(self._grid, np.full(3, _GRID_INK), 0.45 * FINER, image, depth, 0.0)
        self._shade_floor(bodies, image)
        for number, (part, colour, (positions, normals)) in enumerate(zip(
                self._scene.parts, self._colours, bodies, strict=True)):
            corners = self.pixels(positions)[part.mesh.triangles]
            fill(corners, self._shaded(colour, normals)[part.mesh.triangles], number, image,
                 depth, owner)
        for part, colour, (positions, _) in zip(self._scene.parts, self._colours, bodies,
                                             strict=True):
            self._stroke(positions[part.mesh.edges], _EDGE * colour, 0.3 * FINER, image, depth,
                         2e-3)
        outline(owner, 0.55, image)
        for path, colour in self._scene.traces.values():
            ink = np.array(parts_of(colour)) / 255.0
            for positions, share in ((path, 0.4), (path[:k + 1], 1.0)):
                if len(positions) > 1:
                    self._stroke(np.stack([positions[:-1], positions[1:]], axis=1),
                                 1.0 - share * (1.0 - ink), 0.8 * FINER, image, depth, 0.0)
        return np.uint8(255.0 * halved(image) + 0.5)

    def pixels(self, positions: FloatArray) -> FloatArray:
        """Return x, y [fine pixels] and depth of positions (..., 3)."""
        return pixels(self._camera, positions, self._width, self._height)

    def _stroke(self, ends: FloatArray, colour: FloatArray, radius: float, image: FloatArray,
                depth: FloatArray, tolerance: float) -> None:
        if len(ends):
            stroke(self.pixels(ends), colour, radius, tolerance, image, depth)

    def _shaded(self, colour: FloatArray, normals: FloatArray) -> FloatArray:
        """Return the colours of vertices with normals (v, 3)."""
        normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
        base = colour + _WHITER * (1.0 - colour)
        bright = (_AMBIENT + _SKY * (normals @ self._scene.up)
                  + _SUN * np.maximum(normals @ self._light, 0.0))
        gloss = _GLOSS * np.maximum(normals @ self._half, 0.0) ** 24
        return np.clip(bright[:, None] * base + gloss[:, None], 0.0, 1.0)

    def _shade_floor(self, bodies: list[tuple[FloatArray, FloatArray]], image: FloatArray) -> None:
        """Draw what is in the shade of the sun, which stands over the viewer's left shoulder."""
        shadow, near, owner = blank(self._height, self._width)
        up, sun = self._scene.up, self._scene.up + 0.3 * self._light
        for part, (positions, _) in zip(self._scene.parts, bodies, strict=True):
            height = positions @ up - self._scene.floor
            flat = positions - np.outer(height / (sun @ up), sun)
            corners = self.pixels(flat)[part.mesh.triangles]
            fill(corners, np.zeros_like(corners), 1, shadow, near, owner)
        dark = Image.fromarray(np.uint8(255 * (owner > 0)))
        soft = np.asarray(dark.filter(ImageFilter.BoxBlur(0.008 * self._height)), np.float32)
        image *= 1.0 - ((1.0 - _SHADOW) / 255.0) * soft[..., None]

    def _grid_lines(self) -> tuple[float, FloatArray]:
        """Return the width of a cell of the floor's grid [m], and its lines (e, 2, 3)."""
        first, second = self._level
        corners = self._scene.corners
        along, across = corners @ first, corners @ second
        extent = max(np.ptp(along), np.ptp(across), 1e-9)
        cell = 10.0 ** np.floor(np.log10(extent / _GRID))
        cell *= next(factor for factor in (1.0, 2.0, 5.0, 10.0)
                     if factor * cell * _GRID >= extent)
        low, high = (np.array([cell * (round_(values / cell) + more) for values in (along, across)])
                     for round_, more in ((lambda v: np.floor(v.min()), -1),
                                          (lambda v: np.ceil(v.max()), 1)))
        lines = []
        for axis, (across_line, along_line) in enumerate(((first, second), (second, first))):
            for at in np.arange(low[axis], high[axis] + 0.5 * cell, cell):
                lines.append([at * across_line + end * along_line
                              for end in (low[1 - axis], high[1 - axis])])
        return cell, self._floor + np.array(lines)
