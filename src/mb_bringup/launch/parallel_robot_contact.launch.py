"""Contacts of a parallel robot in milliseconds, from the encoders of its drives and one IMU.

    ros2 launch mb_bringup parallel_robot_contact.launch.py trajectory:=circle reaction:=retract

The prototype is a robot under computed torque that runs into obstacles by a script; drivers read
its encoders and the IMU on its platform at 1 kHz, an estimator fuses them to the motion of the
platform with its acceleration, the contact detector finds forces from outside and what is touched,
and the contact monitor ends the run with a report.  The detector gets every estimate within the
process that it shares with the estimator; only some are published.  Where even so there are more
messages a millisecond than the machine can take, the robot waits for judgements: then time passes
more slowly, and the run is the same.  With mechanism:=delta collisions:=delta it is one in space.
"""

from dataclasses import replace

from mb_bringup.arguments import (
    EVERY_RUN,
    SWITCH,
    Argument,
    argument_like,
    config_files,
    given_values,
    number,
    pace_of,
)
from mb_bringup.chosen_filter import check_launched
from mb_bringup.described import described
from mb_bringup.launched_run import LaunchedRun
from mb_bringup.model_files import with_motors, written, wrong_masses
from mb_bringup.unmodelled import JOINTS, unmodelled
from mb_contact import DetectionSettings
from mb_estimators import EstimatorSettings
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_evaluation.results import new_folder
from mb_model import load_mechanism
from mb_model.file_api import read_parameters
from mb_sensors import NoiseSettings, sensors_of
from mb_simulation.collisions import read_collisions
from mb_simulation.control.control_loop import REACTIONS, ControlSettings
from mb_simulation.control.planning import KINDS, TrajectorySettings

METHODS = {name: description.choices for name, _, description in DetectionSettings.describe()}
ARGUMENTS = {
    'mechanism': Argument('three_rrr', 'Name of a mechanism with drives, or path of its file'),
    'trajectory': Argument('rectangle', 'What the robot follows', KINDS[1:]),
    'speed': argument_like('1.41', 'Largest speed of lengths [m/s]', TrajectorySettings, 'speed'),
    'collisions': Argument('three_rrr', 'Script of collisions: a file, or the name of one in '
                           'mb_simulation/collisions; none: nothing touches'),
    'reaction': Argument('stop', 'What the robot does when a contact is detected', REACTIONS),
    'reaction_delay': argument_like(
        '0.015', 'From the instant that was judged to the reaction, in simulated time, which waits '
        'for judgements, so that a seed gives one run. 0: reacts as soon as it can, and time '
        'waits for estimates [s]', ControlSettings, 'reaction_delay'),
    'resume_after': argument_like(
        '0.6', 'How long after that it goes on its way again [s]; 0: never', ControlSettings,
        'resume_after'),
    'imu': Argument('late', 'How readings of the IMU come; late: 3 to 4 ms after their instant, as '
                    'over a slow line; ideal: at once', ('late', 'ideal')),
    'reapply': Argument('false', 'Whether late readings are taken in afterwards, so that the '
                        'momentum observer detects sooner, on a machine that keeps up; false: they '
                        'are waited for, and estimates depend on stamps alone', SWITCH),
    'estimate_rate': argument_like(
        '', 'Estimates that are published per simulated second, for others than the detector [Hz]; '
        '0: all; empty: 200, but all where the detector is in another process',
        EstimatorSettings, 'publish_rate'),
    'method': Argument('both', 'How contacts are detected', METHODS['method']),
    'torques': Argument('commanded', 'What the detector takes for the torques of the drives; '
                        'measured: what motors read by their current, sensors of the kind '
                        'motor_torque in the mechanism file or, where it has none, one on each '
                        'drive with the errors that follow', ('commanded', 'measured')),
    'torque_gain_error': argument_like(
        '0.02', 'Largest relative error of the gain of such a motor', NoiseSettings,
        'drawn_scale'),
    'torque_offset': argument_like(
        '0.08', 'Its largest offset [N m or N]', NoiseSettings, 'drawn_bias'),
    'torque_noise': argument_like(
        '0.32', 'Standard deviation of its readings: 2 % of the 16 N m that the 3-RRR robot needs '
        'on its rectangle, as the offset is 0.5 % [N m or N]', NoiseSettings, 'sigma'),
    'mass_error': Argument('0.0', 'By which share estimator and detector take every body for '
                           'heavier than it is', kind=float, above=-1.0, at_most=1000.0),
    **JOINTS,
    'duration': argument_like('16.0', 'Simulated time [s]', MonitorSettings, 'duration'),
    **EVERY_RUN,
    'publish_rate': replace(EVERY_RUN['publish_rate'], default='1000.0'),
}
FILTER = 'platform_ekf'
ENCODERS, IMU = ('drive_encoders', 'encoders'), 'imu'      # groups of the mechanism: one of each
LATE_IMU = 'three_rrr_late_imu'         # of mb_bringup/config
ESTIMATE_RATE = '200.0'                 # for viewers and the bag [Hz]
PATIENCE = 0.3                          # how long the estimator waits for a sensor, by stamps [s]
MOST_AHEAD = 0.05                       # of the estimates: the robot waits for slow nodes [s]
REAPPLIED = {'reorder_window': 0.002, 'history_length': 0.02, 'late_estimates': 'both'}     # [s]
LEAST_DELAY = {'late': 0.008, 'ideal': 0.004}       # IMU, 4 ms from message to message [s]
BEYOND = 2.0                            # limits of drives: no torque is so large
PHYSICS_STEP = 5e-4                     # what touches is stiff [s]
CLOCK_RATE = 50.0                       # every node takes each of these times [Hz]


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = given_values(context, ARGUMENTS)
    given['estimate_rate'] = given['estimate_rate'] or (
        '0.0' if given['composed'] == 'false' or given['realtime'] == 'true' else ESTIMATE_RATE)
    machine, motors = load_mechanism(given['mechanism']), ()
    if given['torques'] == 'measured':
        machine, motors = with_motors(machine, *(number(given, name) for name in (
            'torque_gain_error', 'torque_offset', 'torque_noise', 'publish_rate')))
    believed = wrong_masses(machine, number(given, 'mass_error'))
    script = '' if given['collisions'] == 'none' else given['collisions']
    if script:
        read_collisions(script)
    encoders = next((group for group in ENCODERS if group in machine.sensor_groups), ENCODERS[0])
    sensors = sensors_of(machine, (encoders, IMU))
    names = [sensor.name for sensor in sensors]
    read = sensors_of(machine, motors)
    pace = pace_of(given, number(given, 'duration'))
    config = config_files(machine, given['config'])
    if given['imu'] == 'late':
        config += config_files(machine, LATE_IMU)
    check_launched(FILTER, machine, sensors, config)
    delay = number(given, 'reaction_delay') if given['reaction'] != 'none' else 0.0
    period = 1.0 / number(given, 'publish_rate')
    least = LEAST_DELAY[given['imu']] + period
    if 0.0 < delay < least * (1.0 - 1e-9):
        raise ValueError(
            f'reaction_delay: {delay:g} must be 0 or >= {least:g}: with imu:={given["imu"]} and '
            f'publish_rate:={given["publish_rate"]} nothing is judged sooner ({period:g} s from '
            'state to state), and time would wait for it')
    motion = {'trajectory.kind': given['trajectory'], 'trajectory.speed': number(given, 'speed'),
              'control.reaction': given['reaction'], 'control.seed': number(given, 'seed', int),
              'control.resume_after': number(given, 'resume_after'), 'collisions': script,
              'control.reaction_delay': delay, 'wait_for_judgements': delay > 0.0}
    unless_given = {'step': PHYSICS_STEP, 'clock_rate': CLOCK_RATE,
                    'most_ahead': max(MOST_AHEAD, period)}
    motion |= unmodelled(machine, given)
    folder = new_folder(given['results'])       # last: wrong arguments leave nothing behind
    run = LaunchedRun(given, written(machine, folder / 'machine.yaml') if motors
                      else given['mechanism'], config)
    model = {'mechanism': written(believed, folder / 'model.yaml')}
    run.read([*sensors, *read])     # first: nodes beside drivers take their readings at once
    run.follow('mb_estimators', 'estimator', {
        **model, 'estimator': FILTER, 'sensors': names, 'restart': True,
        'publish_rate': number(given, 'estimate_rate'),
        **(REAPPLIED if given['reapply'] == 'true' else {})}, reads=sensors, resumes=True,
        unless_given={} if given['reapply'] == 'true' else {'reorder_window': PATIENCE})
    run.follow('mb_contact', 'contact_detector', {
        **model, 'method': given['method'], **({
            'torque_sensors': list(motors),
            'torque_deviation': max(sensor.settings.sigma for sensor in read)} if read else {})},
        reads=read, leaves_out={'torque_limit': BEYOND * limit_of_drives(config)})
    run.show('parallel_robot_contact')
    run.record(folder)
    return run.actions(('contact_monitor', {
        **pace, 'estimator': FILTER, 'sensors': names, 'method': given['method'],
        'torques': given['torques'], 'trajectory': given['trajectory'],
        'collisions': given['collisions'], 'engine': given['prototype'],
        'seed': number(given, 'seed', int), 'folder': str(folder)}), {**pace, **motion},
        unless_given)


def limit_of_drives(config):
    """Return the largest torque that the controller commands, by parameter files [N or N m]."""
    given = read_parameters(config, 'prototype')
    name = 'torque_limit'
    return ControlSettings.from_mapping(
        {name: given[f'control.{name}']} if f'control.{name}' in given else {}).torque_limit
