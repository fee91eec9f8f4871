"""What a page shows of a run of a mechanism in the plane."""

from math import floor, log10

from mb_model.pictures.parts.page import numbers, write_page

_PRECISION = 4      # digits of places, against the extent of the picture


def write_plane_page(frames, file):
    """Write Frames as an HTML page."""
    digits = _PRECISION - floor(log10((frames.high - frames.low).max()))
    write_page(frames.clip, 'plane.js', {
        'low': numbers(frames.low, digits), 'high': numbers(frames.high, digits),
        'shapes': [_shape(shape, digits) for shape in frames.shapes],
        'traces': [{'name': name, 'colour': colour, 'path': numbers(path, digits)}
                   for name, (path, colour) in frames.traces.items()]}, file)


def _shape(shape, digits):
    pose = shape.pose.reshape(len(shape.pose), -1)
    # Outlines in units of a symbol meet axes that are small, those in meters unit axes.
    return {'outline': numbers(shape.outline, digits + 2), 'pose': numbers(pose, digits + 2),
            'stroke': shape.stroke, 'fill': shape.fill, 'width': shape.width,
            'dashed': shape.dashed}
