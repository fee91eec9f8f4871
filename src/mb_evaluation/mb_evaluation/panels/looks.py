"""Looks of the pictures of a run: colours, and what every panel has."""

TRUTH, MODEL, OBSERVER = '#1a1a1a', '#d1622b', '#1f77b4'
BAND = '#9ecae1'
CHANNEL_COLOURS = ('#1f77b4', '#2a9d5c', '#8e5ea2', '#c28e0e')
MANY = len(CHANNEL_COLOURS)     # that one panel can tell apart


def clean(axes):
    """Leave out what is not data."""
    axes.spines[['top', 'right']].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.margins(x=0.0)


def legend_above(axes, columns=3):
    """Put the legend beside the title, where it hides no data."""
    axes.legend(loc='lower right', bbox_to_anchor=(1.01, 0.98), frameon=False, ncols=columns,
                borderaxespad=0.1, handlelength=1.6, columnspacing=1.4)
