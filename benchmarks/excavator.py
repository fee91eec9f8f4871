"""What `make demo-excavator` shows, for several seeds of the IMUs, on one simulated motion.

The MuJoCo prototype plays the shipped work cycle; the virtual sensors, the observer and the scales
of the launch, with its settings, take readings of every seed.  The report is that of the launch.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.figures import Figure
from mb_bringup.arguments import SHARE
from mb_contact import CentredMeans, EdgeForce, Scales, ToolSettings
from mb_estimators import EstimatorSetup
from mb_evaluation.nodes.weighing_monitor import BOUNDS, WeighingBounds
from mb_evaluation.report_kinds.weighing_report import weighing_figures
from mb_evaluation.run_log.weighing_log import Weighed, WeighingLog
from mb_model import WorkCycle, load_mechanism
from mb_model.file_api import GivenParameters, read_parameters
from mb_sensors import SensorNoise, StopReadings, sensors_of, true_values
from mb_simulation.as_built import as_built, as_mounted, started_beside
from mb_simulation.played_commands import cycle_file
from mb_simulation.prototypes import make_prototype

SEEDS = (1, 2)                          # settings were chosen with seeds 0, 3 and 4
MACHINE, START_ERROR = 0, 0.05          # as in the launch [-, rad]
START = 1_000_000_000                   # stamp of the first instant [ns]
ANGLES = 'boom_angle', 'arm_angle', 'bucket_angle'
CONFIG = SHARE / 'config' / 'excavator_afloat.yaml'
DT, STEP, EDGE_EVERY = 0.01, 1e-3, 5    # s, s; estimates from one force to the next
STOPS = (                               # as the defaults of virtual_sensors
    ('bucket', {'retracted': 'bucket_opened', 'extended': 'bucket_curled'}, 'arm'),
    ('boom', {'retracted': 'boom_lowered'}, 'house'),
    ('arm', {'retracted': 'arm_stretched'}, 'boom'))


@dataclass
class Motion:
    """The played work cycle at instants (k): t [s], q, qd, qdd (k, n), p (k, v) [Pa], load (k)."""

    mechanism: object
    cycle: object
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    p: np.ndarray
    load: np.ndarray


def measure(seeds=SEEDS):
    """Return the figures of each seed; the motion is one for all."""
    motion, figures = played(), []
    for seed in seeds:
        report = judged(motion, seed)
        figures += figures_of(f'seed {seed}', report)
    return figures


def played(duration=None):
    """Return the Motion of the shipped cycle, or of its first seconds."""
    machine = as_built(load_mechanism('excavator_afloat'), MACHINE)
    cycle = WorkCycle.load(cycle_file('excavator_afloat'), machine)
    prototype, found, load, before = make_prototype('mujoco', machine, DT, STEP), [], 1.0, -1
    drives = np.array([cycle.drives[name] for name in machine.drives])
    for k in range(round((duration or cycle.duration) / DT) + 1):
        state, oil = prototype.state, prototype.oil
        found.append([*(x.copy() for x in (state.q, state.qd, state.qdd, oil.p)), load])
        row = int(np.searchsorted(cycle.times, k * DT + 1e-9, side='right')) - 1
        if row != before:
            before = row
            prototype.set_valves(cycle.valves[row])
            prototype.set_drive_torques(drives[:, row])
            if cycle.parameters['load'][row] != load:
                load = float(cycle.parameters['load'][row])
                prototype.set_parameters({'load': load})
        prototype.advance()
    return Motion(machine, cycle, DT * np.arange(len(found)),
                  *(np.array(part) for part in zip(*found, strict=True)))


def readings_of(motion, seed, parameters):
    """Return name -> readings (k, channels) of all IMUs and pressures, at every instant."""
    names = [sensor.name for sensor in sensors_of(motion.mechanism, ['imus', 'pressures'])]
    imus = [name for name in names if 'pressure' not in name]
    machine, found = as_mounted(motion.mechanism, imus, seed), {}
    errors = {name: {key.partition('.')[2]: value for key, value in parameters.items()
                     if key.startswith(f'{name}.')} for name in names}
    machine = machine.replace(sensors={name: one for name, one in errors.items() if one})
    for sensor in sensors_of(machine, names):
        truth = (motion.p[:, [names.index(sensor.name) - len(imus)]]
                 if sensor.kind == 'pressure' else
                 true_values(machine, sensor, motion.q, motion.qd, motion.qdd))
        noise = SensorNoise(sensor.settings, seed, sensor.name)
        found[sensor.name] = noise.readings(range(len(truth)), truth)
    return found


def judged(motion, seed, changes=()):
    """Return the report of the seed's IMUs; changes: (name, value) of further parameters."""
    nominal = load_mechanism('excavator_afloat')
    believed = started_beside(nominal, list(ANGLES), seed, START_ERROR)
    readings = readings_of(motion, seed, read_parameters([CONFIG], 'sensor_driver'))
    with TemporaryDirectory() as folder:
        file = Path(folder) / 'model.yaml'
        file.write_text(believed.text)
        setup = EstimatorSetup(GivenParameters(read_parameters([CONFIG], 'estimator') | {
            'mechanism': str(file), 'estimator': 'kinematic_kf',
            'sensors': ['imus', 'virtual']} | dict(changes)).settings_of)
    scales = GivenParameters(read_parameters([CONFIG], 'tool_scales') | dict(changes))
    bounds = WeighingBounds()
    run = log_of(motion, setup.mechanism.independent)
    follow(run, motion, setup, readings, scales.settings_of(ToolSettings))
    return weighing_figures(run, {}, {name: getattr(bounds, name) for name in sorted(BOUNDS)}, '')


def log_of(motion, independent):
    """Return a WeighingLog that knows the truth."""
    run = WeighingLog(START, motion.t[-1], 1.0 / DT, {
        name: independent.index(name) for name in ANGLES})
    places = motion.mechanism.indices(list(ANGLES))
    for k, stamp in enumerate(stamps_of(motion)):
        turn = (motion.mechanism.body_motion('house', motion.q[k]).rotation
                if k % EDGE_EVERY == 0 else np.zeros(9))
        run.truth.add(stamp, motion.q[k, places], motion.qd[k, places], turn)
        run.true_load.add(stamp, [motion.load[k]])
    for row, t in enumerate(motion.cycle.times):
        run.true_forces.add(START + round(1e9 * t), [
            motion.cycle.drives[name][row] for name in ('edge.x', 'edge.z')])
    return run


def stamps_of(motion):
    """Return the stamps of the instants [ns]."""
    return [START + round(1e9 * t) for t in motion.t]


def follow(run, motion, setup, readings, settings):
    """Let observer and scales follow the readings, and note what they find in a WeighingLog.

    settings: ToolSettings.
    """
    stops = [StopReadings(setup.mechanism, name, ends, (f'{name}_pressure1', f'{name}_pressure2'),
                          (f'{below}_gyro', f'{name}_gyro'), 1) for name, ends, below in STOPS]
    tool = _Tool(run, setup.mechanism, settings, np.hstack([
        readings[name] for name in readings if 'pressure' in name]))
    for k, stamp in enumerate(stamps_of(motion)):
        now = {name: values[k].tolist() for name, values in readings.items()}
        for name, values in list(now.items()):
            for one in stops:
                found = one.add(stamp, name, values)
                for stop, length in found[1].items() if found else ():
                    now |= {stop: [length], 'place': [0.0, 0.0, 0.0]}
                    if stop == 'bucket_curled' and np.isfinite(length):
                        tool.at_stop.add(stamp)
        read = [(name, values) for name, values in now.items() if 'pressure' not in name]
        for step in setup.stream.add_all(stamp, read):
            tool.note(step.stamp, step.estimate)


class _Tool:
    """Scales and edge behind an observer, whose findings go to a WeighingLog."""

    def __init__(self, run, mechanism, settings, p):
        """Set up; settings: ToolSettings; p (k, v): measured [Pa]."""
        self._run, self._p, self._g = run, p, mechanism.g
        self._scales, self._edge = Scales(mechanism, settings, DT), EdgeForce(mechanism, settings)
        self._means = CentredMeans(settings.edge_window)
        self._places, self.at_stop = list(run.angles.values()), set()

    def note(self, stamp, estimate):
        """Note an Estimate of a stamp [ns], weigh and find the force at the edge."""
        k, run = round((stamp - START) / (1e9 * DT)), self._run
        e, p = estimate, self._p[k]
        run.estimate.add(stamp, e.z[self._places], np.sqrt(e.covariance.diagonal()[self._places]))
        done = self._scales.add(stamp, e.z, e.zd, e.zdd, e.q, p, e.covariance,
                                stamp in self.at_stop)
        found = done or self._scales.running
        run.masses.add(stamp, *([[found.net], [found.gross], [found.net_deviation]]
                                if found else 3 * [[np.nan]]))
        if done is not None and not done.empty:
            run.weighings.append(Weighed(stamp, done.net, done.gross, done.net_deviation))
        for centre, force in self._means.add(
                stamp, self._edge.force(e.z, e.zd, e.zdd, e.q, p), k % EDGE_EVERY == 0):
            run.forces.add(centre, force)


def figures_of(case, report):
    """Return the figures of a report of the launch."""
    bounds, loads, edge = report['bounds'], report['loads'], report['edge']
    found = []
    for name, one in report['angles'].items():
        found += [(f'RMSE of {name}', one['rmse'], 'deg', bounds['angle_goal']),
                  (f'{name} within intervals of 95 %', 100.0 * one['coverage_95'], '%', None),
                  *([] if one['drift'] is None else [
                      (f'drift of {name} at rest', abs(one['drift']), 'deg/min',
                       bounds['drift_goal'])])]
    found += [('weighings', len(loads['weighings']), '', None),
              ('load: RMSE, of full scale', loads['rmse'], '%', bounds['load_goal']),
              ('load: largest error, of full scale', loads['largest'], '%', bounds['load_goal']),
              ('load: mean deviation claimed, of full scale', loads['deviation'], '%',
               bounds['load_goal']),
              ('load: within intervals of 95 %', 100.0 * loads['coverage_95'], '%', None),
              ('force at the edge: RMSE, of its peak', edge['rmse'], '%', bounds['force_goal']),
              ('force at the edge: largest error, of its peak', edge['largest'], '%', None),
              ('force at the edge: peak', 1e-3 * edge['peak'], 'kN', None)]
    return [Figure(f'{case}: {name}', value, unit, goal) for name, value, unit, goal in found]
