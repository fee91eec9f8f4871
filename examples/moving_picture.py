"""Make the moving picture of the README: a machine, its model alone, and the estimate.

    python examples/moving_picture.py docs/pictures/estimate.gif

Hands push a Stewart platform on soft legs, whose model knows nothing of them and has 20 kg less.
"""

from dataclasses import replace
from math import pi, sin
from pathlib import Path
import sys
import tempfile

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
import numpy as np
from PIL import Image

from mb_estimators import Experiment, make_filter
from mb_model import animate, load_mechanism, simulate

DURATION, DT, FPS, WIDTH = 5.0, 2e-3, 12.5, 600
PANELS = 'the machine, pushed by hands', 'its model alone', 'estimate, by six encoders'
COLOURS = '#333333', '#cc4444', '#3366bb'
SOFT = {'stiffness': 8000.0, 'damping': 150.0, 'rest': 0.90}


def push(t, z, zd):
    """Return what hands do to the platform [N, N m]."""
    return [430.0 * sin(pi * t), 430.0 * sin(0.6 * pi * t), 0.0,
            0.0, 0.0, 60.0 * sin(1.3 * pi * t)]


def motions():
    """Return the truth, a Run, and q and place of the model and the estimate (k, n), (k, 3)."""
    machine = load_mechanism('stewart').replace(parameters=SOFT)
    encoders = [f'encoder{k}' for k in range(1, 7)]
    machine = machine.replace(sensors={name: {'sigma': 2e-3, 'rate': 500.0} for name in encoders})
    truth = simulate(machine, DURATION, DT, inputs=push)
    experiment = Experiment(machine, encoders, {'bodies': {'platform': {'mass': 40.0}}}, DURATION,
                            DT, truth=truth)
    observer = make_filter('error_ekf_fe', experiment.mechanism, experiment.sensors, DT,
                           acceleration_variance=100.0)
    estimated = []
    for k, readings in enumerate(experiment.readings(seed=1)):
        if k > 0:
            observer.predict(DT)
        observer.correct(readings)
        estimated.append(observer.estimate.q)
    return truth, experiment.model.q, np.array(estimated)


def frames(run, motions):
    """Return pictures of three motions (k, n) of a mechanism, seen by one camera: [3][k]."""
    long = replace(run, t=DT * np.arange(3 * len(run.t)), error=None, **{
        name: np.concatenate([motion if name == 'q' else getattr(run, name)
                              for motion in motions])
        for name in ('q', 'qd', 'qdd', 'z', 'zd', 'zdd', 'forces')})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'frames.gif'
        animate(long, file, fps=FPS)
        film, pictures = Image.open(file), []
        for k in range(film.n_frames):
            film.seek(k)
            pictures.append(film.convert('RGB').crop((95, 35, 505, 420)))
    size = len(pictures) // 3
    return [pictures[part * size:(part + 1) * size] for part in range(3)]


def main():
    """Write the film."""
    run, model, estimated = motions()
    places = [run.mechanism.coordinates.index(f'place.{axis}') for axis in 'xyz']
    errors = [1e3 * np.linalg.norm((q - run.q)[:, places], axis=1) for q in (model, estimated)]
    pictures = frames(run, (run.q, model, estimated))
    figure = Figure(figsize=(6.0, 3.6), dpi=WIDTH / 6.0)
    canvas = FigureCanvasAgg(figure)
    shown = []
    for part, (title, colour) in enumerate(zip(PANELS, COLOURS, strict=True)):
        axes = figure.add_axes((part / 3.0, 0.42, 1.0 / 3.0, 0.5))
        axes.set_axis_off()
        axes.set_title(title, fontsize=8, color=colour)
        shown.append(axes.imshow(pictures[part][0]))
    axes = figure.add_axes((0.12, 0.12, 0.85, 0.27), xlim=(0.0, DURATION), yscale='log',
                           ylim=(0.1, 400.0))
    axes.set_xlabel('time [s]', fontsize=7, labelpad=1)
    axes.set_ylabel('error of the\nplatform [mm]', fontsize=7)
    axes.tick_params(labelsize=7)
    axes.grid(color='#eeeeee')
    lines = [axes.plot([], [], color=colour, linewidth=1.2)[0] for colour in COLOURS[1:]]
    film = []
    for k in range(len(pictures[0])):
        rows = slice(0, round(k / FPS / DT) + 1)
        for image, panel in zip(shown, pictures, strict=True):
            image.set_data(np.asarray(panel[k]))
        for line, error in zip(lines, errors, strict=True):
            line.set_data(run.t[rows], error[rows])
        canvas.draw()
        film.append(Image.fromarray(np.asarray(canvas.buffer_rgba())).convert('RGB'))
    palette = film[len(film) // 2].quantize(128)
    film = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in film]
    film[0].save(sys.argv[1], save_all=True, append_images=film[1:], loop=0, optimize=True,
                 duration=round(1e3 / FPS))
    print(f'{sys.argv[1]}: {Path(sys.argv[1]).stat().st_size / 1e3:.0f} kB; error after 1 s '
          f'{errors[0][500:].mean():.1f} mm of the model, {errors[1][500:].mean():.1f} mm')


if __name__ == '__main__':
    main()
