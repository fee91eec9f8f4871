"""A picture of a mechanism."""

from matplotlib.figure import Figure
import numpy as np

from mb_model.analysis import point_positions


def draw(mechanism, q, file):
    """Draw a mechanism at q (n) into an image file."""
    points = point_positions(mechanism, q)
    figure = Figure(figsize=(8, 6), layout='constrained')
    axes = figure.add_subplot(aspect='equal', title=mechanism.name, xlabel='x [m]', ylabel='y [m]')
    for name, body in mechanism.bodies.items():
        places = np.array([points[point] for point in body.points])
        ring = places if len(places) == 2 else np.vstack([places, places[:1]])
        line, = axes.plot(*ring.T, linewidth=3, solid_capstyle='round')
        axes.annotate(name, places.mean(axis=0), color=line.get_color(), xytext=(4, 4),
                      textcoords='offset points')
    for name, point in mechanism.points.items():
        marker = {'marker': '^', 'markersize': 11} if point.fixed else {'marker': 'o'}
        axes.plot(*points[name], color='black', linestyle='none', **marker)
        axes.annotate(name, points[name], xytext=(6, -12), textcoords='offset points')
    for constraint in mechanism.described.constraints.values():
        if constraint.kind == 'slider':
            along = np.array([points[end] for end in constraint.points])
            axes.plot(*along.T, linestyle=':', color='grey', zorder=0)
    for coordinate in mechanism.described.coordinates.values():
        if coordinate.kind == 'distance':
            axes.plot(*np.array([points[end] for end in coordinate.points]).T, linestyle='--',
                      color='grey', zorder=0)
    axes.margins(0.15)
    figure.savefig(file, dpi=120)
