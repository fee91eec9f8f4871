"""What commands can do with a run: save, plot, animate."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from mb_model.commands.numbers import POSITIVE
from mb_model.commands.options import require_file, require_folder
from mb_model.pictures.animation import WRITERS, animate
from mb_model.pictures.plotting import plot
from mb_model.simulation.error_estimate import TOLERANCE

if TYPE_CHECKING:
    from mb_model.simulation.run import Run


def add_output_arguments(parser: ArgumentParser) -> None:
    """Add the options of `write_outputs` to an argparse parser."""
    parser.add_argument('--save', metavar='PATH', help='FILE.npz, or the folder of a new bag')
    parser.add_argument('--storage', default='mcap', help='of a bag: mcap or sqlite3 (%(default)s)')
    parser.add_argument('--plot', metavar='FILE', help='draw the motion: .png, .pdf or .svg')
    parser.add_argument('--coordinates', nargs='+', metavar='NAME',
                        help='which to plot (default: the degrees of freedom)')
    parser.add_argument('--animate', metavar='FILE',
                        help='film or page of the motion: .mp4, .gif or .html')
    parser.add_argument('--trace', nargs='+', metavar='POINT', default=[],
                        help='points whose paths the animation shows')
    parser.add_argument('--speed', type=POSITIVE, default=1.0,
                        help='of the animation, against real time (%(default)s)')
    parser.add_argument('--fps', type=POSITIVE, help='frames per second of the animation')


def check_outputs(given: Namespace, *more: str) -> None:
    """Raise ValueError or OSError, before the work starts, if its results could not be written.

    more: names of other options with the path of a file.
    """
    for option in ('plot', 'animate', *more):
        path = getattr(given, option)
        if path is not None:
            require_file(f'--{option}', path)
    if given.save is not None:
        require_states(given.save)
    if given.animate is not None and Path(given.animate).suffix not in WRITERS:
        raise ValueError(f'--animate {given.animate}: must end in {", ".join(WRITERS)}')


def require_states(path: str) -> None:
    """Raise OSError unless states can be saved at the path of --save: FILE.npz, or a new bag."""
    if Path(path).suffix == '.npz':
        require_file('--save', path)
        return
    require_folder('--save', path)
    if Path(path).exists():
        raise FileExistsError(f'--save {path}: already exists')


def write_outputs(run: 'Run', given: Namespace) -> list[str]:
    """Write what was asked for; return a line of text for each."""
    lines = []
    if given.save is not None:
        run.save(given.save, given.storage)
        lines.append(f'saved          {given.save}')
    if given.plot is not None:
        plot(run, given.plot, given.coordinates)
        lines.append(f'plot           {given.plot}')
    if given.animate is not None:
        animate(run, given.animate, given.trace, given.speed, given.fps, progress=True)
        lines.append(f'animation      {given.animate}')
    return lines


def summary(run: 'Run', tolerance: float | None = None) -> list[str]:
    """Return lines of text about a Run; tolerance: of its error, None for the usual one."""
    mechanism, energy = run.mechanism, run.energy()
    units = {name: mechanism.unit(name) for name in run.main_coordinates}
    end = ', '.join(f'{name} = {run.values(name)[-1]:.6g} {unit}, '
                    f'{run.values(name, "qd")[-1]:.6g} {unit}/s' for name, unit in units.items())
    drift, largest = abs(energy.drift).max(), energy.kinetic.max()
    share = f' ({drift / largest:.2g} of the largest kinetic energy)' if largest > 0.0 else ''
    return [f'end            t = {run.t[-1]:g} s: {end}',
            f'energy drift   {drift:.3g} J at most{share}', *_error(run, tolerance or TOLERANCE)]


def _error(run, tolerance):
    """Return lines about the estimated error of a Run."""
    if run.error is None:
        return ['error          not estimated']
    problem = run.error.problem(run.mechanism, tolerance)
    advice = '; take shorter steps, or let --tolerance choose them'
    return [f'error          {run.error.words(run.mechanism)}, with steps of {run.error.step:g} s',
            *([f'warning        {problem}{advice}'] if problem else [])]
