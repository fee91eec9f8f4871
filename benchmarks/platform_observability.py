"""What 5 ms of readings determine of the 3-RRR robot's motion, by sets of sensors.

On the contact-free rectangle of Mohammad et al. 2025, Sec. IV-C, driven by the controller in
MuJoCo: rank of the observability of position, velocity and acceleration, which the window takes for
constant, and unknown biases of the IMU; standard deviations, at the worst of all instants, in space
at the worse direction.
"""

from dataclasses import replace

import numpy as np

from benchmarks.figures import Figure
from mb_estimators import local_observability
from mb_model import load_mechanism
from mb_simulation.contact_experiment import simulate_robot
from mb_simulation.control import TrajectorySettings, plan

DURATION, WINDOW, EVERY = 3.0, 0.005, 20            # s, s, instants
BIASES = {'platform_gyro': {'bias_sigma': np.radians(3.0)},
          'platform_accelerometer': {'bias_sigma': 0.04 * 9.81}}
SETS = {'encoders': (['drive_encoders'], {}),
        'encoders, gyroscope': (['drive_encoders', 'platform_gyro'], {}),
        'encoders, accelerometer': (['drive_encoders', 'platform_accelerometer'], {}),
        'encoders, IMU': (['drive_encoders', 'imu'], {}),
        'encoders, IMU of unknown biases': (['drive_encoders', 'imu'], BIASES),
        'IMU': (['imu'], {}),
        'IMU of unknown biases': (['imu'], BIASES)}
STATES = {'position': (slice(0, 2), 'm'), 'velocity': (slice(3, 5), 'm/s'),
          'acceleration': (slice(6, 8), 'm/s^2'), 'angular acceleration': (8, 'rad/s^2')}


def measure():
    """Return rank and deviations of every set of sensors, infinite where nothing is determined."""
    robot = load_mechanism('three_rrr')
    run = simulate_robot(robot, plan(robot, TrajectorySettings(kind='rectangle')), DURATION)
    figures = []
    for label, (sensors, biases) in SETS.items():
        moved = replace(run, mechanism=robot.replace(sensors=biases))
        found = local_observability(moved, sensors, WINDOW, EVERY)
        figures.append(Figure(f'{label}: rank, of {len(found.states)}', found.ranks.min(), ''))
        figures += [Figure(f'{label}: {name}', found.deviations[:, place].max(), unit)
                    for name, (place, unit) in STATES.items()]
    return figures
