"""Accepted outputs: what each filter makes of five recordings, and what a change changes of it.

`python test/outputs.py` accepts the present ones.  outputs/NAME_readings.csv are the recordings, by
which a change of a simulator or a sensor changes nothing here.
"""

from collections.abc import Iterator
import csv
from dataclasses import dataclass
from pathlib import Path
import sys

import numpy as np

from mb_estimators import available_filters, make_filter, observe
from mb_estimators.filter import DivergenceError, needs_hydraulics
from mb_estimators.filters.motion_window import MotionWindow
from mb_estimators.plugins import filter_class
from mb_model import apply_model_errors, load_mechanism
from mb_sensors import sensors_of

FOLDER = Path(__file__).with_name('outputs')
SHOWN = 1, 12, 30, 59       # instants that are kept
CLOSE = 1e-6                # of a deviation: other processors round otherwise
ITERATED = 1e-2             # the same of filters that iterate until 1e-3 deviations are left
ACCEPT = 'make accept-outputs'
COLUMNS = 'filter', 't', 'quantity', 'value', 'deviation'


@dataclass(frozen=True)
class Recorded:
    """A recording: readings of sensors of a machine, of which filters have a wrong model."""

    mechanism: str
    sensors: tuple[str, ...]
    gravity: float = 1.0                # error [m/s^2]
    z0: tuple[float, ...] = (0.1,)      # errors of the start
    dt: float = 0.005

    def believed(self):
        """Return the Mechanism as filters have it."""
        return apply_model_errors(load_mechanism(self.mechanism),
                                  {'gravity': self.gravity, 'z0': self.z0})


RECORDINGS = {
    'four_bar': Recorded('four_bar', ('crank_encoder', 'crank_gyro')),
    'double_pendulum': Recorded('double_pendulum', ('upper_encoder', 'joint_encoder'),
                                z0=(0.1, -0.1)),
    'five_bar': Recorded('five_bar', ('left_crank_encoder', 'right_coupler_gyro',
                                      'left_crank_accelerometers'), z0=(0.05, 0.05)),
    'spatial': Recorded('spatial_slider_crank', ('crank_encoder', 'rod_gyro', 'rod_accelerometer'),
                        dt=0.002),
    'crane': Recorded('crane', ('cylinder_encoder', 'pressure1', 'pressure2'), 0.1, (0.002,),
                      dt=0.002),
}


@dataclass(frozen=True)
class Output:
    """A quantity at an instant [s]; deviation: claimed, NaN for none."""

    filter: str
    t: str
    quantity: str
    value: float
    deviation: float

    @property
    def key(self) -> tuple[str, str, str]:
        """Which output it is."""
        return self.filter, self.t, self.quantity


def outputs_of(name: str, filters: list[str] | None = None) -> list[Output]:
    """Return the Outputs of filters, of all that suit the machine by default, on a recording."""
    recorded = RECORDINGS[name]
    stamps, readings = _readings(name)
    mechanism = recorded.believed()
    outputs = []
    for filter_ in filters or available_filters(mechanism):
        sensors = [one for one in sensors_of(mechanism, recorded.sensors)
                   if one.kind != 'pressure' or needs_hydraulics(filter_class(filter_))]
        own = np.column_stack([readings[name] for one in sensors for name in one.channels])
        outputs += _of_filter(filter_, mechanism, sensors, recorded.dt, stamps, own)
    return outputs


def accepted(name: str) -> list[Output]:
    """Return the accepted Outputs on a recording."""
    with (FOLDER / f'{name}.csv').open(encoding='utf-8', newline='') as file:
        return [Output(row['filter'], row['t'], row['quantity'], float(row['value']),
                       float(row['deviation'] or 'nan')) for row in csv.DictReader(file)]


def differences(name: str, old: list[Output], new: list[Output]) -> list[str]:
    """Return in words what differs between Outputs on a recording, a line for each filter."""
    before, after = ({one.key: one for one in outputs} for outputs in (old, new))
    lines = []
    for filter_ in dict.fromkeys(key[0] for key in (*before, *after)):
        keys = [key for key in (*before, *after) if key[0] == filter_]
        if not all(key in before for key in keys) or not all(key in after for key in keys):
            what = ('gives other quantities' if any(key in before for key in keys)
                    and any(key in after for key in keys) else
                    'has no accepted outputs' if any(key in after for key in keys) else
                    'gives no outputs any more')
            lines.append(f'{filter_} on {name}: {what}')
            continue
        several = [(key, _change(before[key], after[key], _scale(key, before)))
                   for key in dict.fromkeys(keys)]
        changed = [(key, size) for key, size in several if not size <= _close(filter_)]
        if changed:
            worst, size = max(changed, key=lambda one: (one[1] != one[1], one[1]))
            lines.append(_sentence(name, before[worst], after[worst], size, len(changed),
                                   len(several)))
    return lines


def accept(name: str) -> None:
    """Write the present Outputs on a recording as the accepted ones."""
    with (FOLDER / f'{name}.csv').open('w', encoding='utf-8', newline='') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(COLUMNS)
        for one in outputs_of(name):
            writer.writerow([one.filter, one.t, one.quantity, f'{one.value:.11g}',
                             '' if np.isnan(one.deviation) else f'{one.deviation:.9g}'])


def _readings(name):
    """Return stamps (k) [ns], and readings (k) by channel, NaN for none."""
    with (FOLDER / f'{name}_readings.csv').open(encoding='utf-8', newline='') as file:
        rows = list(csv.DictReader(file))
    return (np.array([int(row.pop('stamp')) for row in rows]),
            {name: np.array([float(row[name] or 'nan') for row in rows]) for name in rows[0]})


def _of_filter(name, mechanism, sensors, dt, stamps, readings) -> Iterator[Output]:
    try:
        seen = observe(make_filter(name, mechanism, sensors, dt), stamps, readings, dt)
    except DivergenceError as error:
        yield Output(name, '', f'diverged: {error}', 0.0, np.nan)
        return
    g = mechanism.g
    deviations = np.full((len(stamps), 3 * g), np.nan)
    variances = np.diagonal(seen.covariance, axis1=1, axis2=2)
    deviations[:, :variances.shape[1]] = np.sqrt(np.maximum(variances, 0.0))
    values = np.hstack([seen.z, seen.zd, seen.zdd])
    for k in SHOWN:
        t = f'{1e-9 * (stamps[k] - stamps[0]):g}'
        for i, value in enumerate(values[k]):
            yield Output(name, t, f'{mechanism.independent[i % g]} {WHAT[i // g]}', float(value),
                         float(deviations[k, i]))
        for one, track in seen.parameters.items():
            yield Output(name, t, one, float(track[k]), float(seen.parameter_deviations[one][k]))


WHAT = 'position', 'velocity', 'acceleration'


def _scale(key, outputs):
    """Return what a change of an output is compared with: its deviation, or the size of all."""
    one = outputs[key]
    if one.deviation > 0.0:
        return one.deviation
    return max(abs(other.value) for other in outputs.values()
               if other.filter == one.filter and other.quantity == one.quantity) or 1.0


def _change(old, new, scale):
    """Return the change of a value in deviations, or of the deviation as a share, if larger."""
    if any(np.isnan(a) != np.isnan(b) for a, b in ((old.value, new.value),
                                                   (old.deviation, new.deviation))):
        return np.nan
    share = abs(new.deviation - old.deviation) / (old.deviation or 1.0)
    return float(np.fmax(abs(new.value - old.value) / scale, share))


def _close(name):
    return ITERATED if issubclass(filter_class(name), MotionWindow) else CLOSE


def _sentence(name, old, new, size, changed, count):
    """Return which outputs of a filter changed, and the one most, in words."""
    def shown(one):
        return f'{one.value:.9g}' + ('' if np.isnan(one.deviation) else f' ± {one.deviation:.4g}')
    of = 'of its size' if np.isnan(old.deviation) else 'deviations'
    return (f'{old.filter} on {name}: {changed} of {count} outputs changed, most of all '
            f'{old.quantity} at {old.t} s, by {size:.2g} {of}: it was {shown(old)}, '
            f'it is {shown(new)}')


def main() -> int:
    """Accept all outputs, and print what changes by that."""
    for name in RECORDINGS:
        before = accepted(name) if (FOLDER / f'{name}.csv').is_file() else []
        accept(name)
        lines = differences(name, before, accepted(name))
        print(*(lines or [f'{name}: as before']), sep='\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
