"""Time of a cycle of the contact detection of the 3-RRR robot at 1 kHz: estimate, both methods.

platform_ekf takes three encoders and the IMU, then direct method and momentum observer judge its
estimate.  Calls from Python included, processor time; the median of rounds along the contact-free
rectangle.
"""

from statistics import median
from time import process_time

import numpy as np

from benchmarks.contact_cases import rectangle
from benchmarks.figures import Figure
from mb_contact import ContactDetector, DetectionSettings
from mb_estimators import make_filter
from mb_sensors import RecordedSensor
from mb_simulation.contact_experiment import ESTIMATOR

ROUNDS = 7
TARGET = 60.0        # us
METHODS = {'direct': 'direct', 'observer': 'momentum_observer', 'both': 'both'}


def measure():
    """Return the times."""
    experiment = rectangle().experiment
    readings = np.hstack([RecordedSensor(sensor, experiment.run, experiment.stamps.tolist())
                          .readings(0) for sensor in experiment.sensors])
    rounds = {name: [] for name in ('estimate', *METHODS)}
    for _ in range(ROUNDS):
        rounds['estimate'].append(cycle_time(experiment, readings, None))
        for name, method in METHODS.items():
            rounds[name].append(cycle_time(experiment, readings, method))
    times = {name: 1e6 * median(row) for name, row in rounds.items()}
    return [Figure('estimate alone', times['estimate'], 'us')] + [
        Figure(f'estimate and {name}', times[name], 'us', TARGET if name == 'both' else None,
               peer='estimate alone', peer_value=times['estimate']) for name in METHODS]


def cycle_time(experiment, readings, method):
    """Return the processor time of a cycle [s]; method: of the detector, None for none."""
    observer = make_filter(ESTIMATOR, experiment.mechanism, experiment.sensors, experiment.dt)
    detector = method and ContactDetector(experiment.mechanism,
                                          settings=DetectionSettings(method=method))
    torques, stamps = list(experiment.run.torques), experiment.stamps.tolist()
    begin = process_time()
    for stamp, row, torque in zip(stamps, readings, torques, strict=True):
        observer.predict(experiment.dt)
        observer.correct(row)
        estimate = observer.estimate
        if detector:
            detector.update(stamp, estimate.z, estimate.zd, estimate.zdd, estimate.covariance,
                            torque, estimate.q)
    return (process_time() - begin) / len(stamps)
