"""Make a bag of a real machine's log, look into it, and estimate the machine's motion."""

from pathlib import Path
import tempfile

from ament_index_python.packages import get_package_share_directory
import matplotlib.pyplot as plt
import numpy as np

from mb_estimators import input_topic, make_filter, observe, read_recording
from mb_model import load_mechanism
from mb_sensors import KNOWN_FORCES, open_bag, sensors_of
from mb_sensors.command_api import import_log

# A double pendulum with two motors and encoders; `columns.yaml` says which column is which sensor.
# In a shell: ros2 run mb_sensors import_recording LOG --columns COLUMNS --output BAG
logs = Path(get_package_share_directory('mb_bringup')) / 'recordings' / 'double_pendulum'
bag = Path(tempfile.mkdtemp()) / 'run' / 'bag'
import_log(logs / 'acrobot' / 'experiment05.csv', logs / 'columns.yaml', bag)
with open_bag(bag) as opened:
    for topic, kind in opened.kinds.items():
        print(f'{topic:20} {kind}')

machine = load_mechanism('geared_double_pendulum')
sensors = sensors_of(machine, ['shoulder_encoder', 'elbow_encoder'])
torques = input_topic(machine, takes_commands=False, known_forces=KNOWN_FORCES)
recording = read_recording(bag, sensors, inputs=torques, mechanism=machine)
rows = recording.t < 5.0
observer = make_filter('error_ekf_fe', machine, sensors, dt=0.004, acceleration_variance=1.0)
observed = observe(observer, recording.stamps[rows], recording.readings[rows], 0.004,
                   recording.inputs)
print(f'{rows.sum()} instants, mean NIS {np.nanmean(observed.nis):.2f} of {len(sensors)} readings')

t, differences = recording.t[rows], np.gradient(recording.readings[rows, 1], recording.t[rows])
figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
axes.plot(t, differences, color='0.6', linewidth=2.5, label='differences of the encoder')
axes.plot(t, observed.zd[:, 1], label='estimate')
axes.set(xlabel='time [s]', ylabel='speed of the elbow [rad/s]')
axes.legend()
figure.savefig('read_a_bag.png', dpi=100)
