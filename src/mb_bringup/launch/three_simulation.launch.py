"""The three-simulation method: prototype, uncorrected model and observer, side by side.

    ros2 launch mb_bringup three_simulation.launch.py mechanism:=five_bar duration:=5.0

The prototype gives truth and time, drivers turn the truth into readings, the estimator corrects a
deliberately wrong model with them, and the accuracy monitor ends the run with a report.
"""

from math import pi

from mb_bringup.arguments import (
    EVERY_RUN,
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
from mb_bringup.observed_run import observed
from mb_bringup.unmodelled import JOINTS, unmodelled
from mb_estimators import available_filters
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_model import ModelErrors, load_mechanism
from mb_sensors import sensors_of

START_ERRORS = {2: pi / 16, 3: 0.02}        # by dimension [rad or m]
MODEL_STEP = 5e-4       # of the uncorrected model; its fast turns take more than 1 ms gives [s]
ARGUMENTS = {
    'mechanism': Argument('four_bar', 'Name of a mechanism or path of its file'),
    'estimator': Argument('error_ekf', 'Filter that corrects the model', available_filters()),
    'sensors': Argument('', 'Sensors or sensor groups of the mechanism, as "[a, b]" or "a, b"; '
                        'empty: its group `default`, else its group `encoders` in space, else all '
                        'its angle encoders'),
    'duration': argument_like('10.0', 'Simulated time [s]', MonitorSettings, 'duration'),
    'gravity_error': argument_like('-1.0', "What is added to the magnitude of the model's "
                                   'gravity [m/s^2]', ModelErrors, 'gravity'),
    'start_error': argument_like('', 'What is added to each degree of freedom of the model at the '
                                 'start [rad or m]; empty: pi / 16, in space 0.02, since ways of '
                                 'machines there are some decimetres', ModelErrors, 'z0'),
    **JOINTS, **EVERY_RUN,
}


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = given_values(context, ARGUMENTS)
    mechanism = load_mechanism(given['mechanism'])
    sensors = chosen_sensors(mechanism, given['sensors'])
    config = config_files(mechanism, given['config'])
    check_launched(given['estimator'], mechanism, sensors, config)
    pace = pace_of(given, number(given, 'duration'))
    errors = {'model_errors.gravity': number(given, 'gravity_error'),
              'model_errors.z0': number(given, 'start_error') if given['start_error'] else
              START_ERRORS[mechanism.dimension]}
    real = unmodelled(mechanism, given)
    run = LaunchedRun(given, given['mechanism'], config)
    run.follow('mb_model', 'model_simulation', {
        **errors, 'publish_rate': pace['publish_rate']}, unless_given={'step': MODEL_STEP})
    run.read(sensors)       # first: nodes in a process with drivers take their readings at once
    return run.actions(observed(run, given, sensors, errors, pace), pace | real)


def chosen_sensors(mechanism, text):
    """Return the Sensors that are named in a text; of an empty one see ARGUMENTS."""
    names = [name.strip() for name in text.strip('[ ]').split(',') if name.strip()]
    groups = ('default', 'encoders')[:mechanism.dimension - 1]
    names = names or [name for name in groups if name in mechanism.sensor_groups][:1]
    if names:
        return sensors_of(mechanism, names)
    if not mechanism.sensors:
        raise ValueError(without_sensors(mechanism))
    encoders = [sensor for sensor in sensors_of(mechanism, list(mechanism.sensors))
                if sensor.kind == 'angle_encoder']
    if not encoders:
        raise ValueError(f'sensors: {mechanism.name} has no angle encoder, choose from '
                         f'{", ".join(mechanism.sensors)}')
    return encoders


def without_sensors(mechanism):
    """Return what to write for a Mechanism without sensors, in words."""
    body = list(mechanism.bodies)[-1]
    if mechanism.dimension == 2:
        entry = f'angle: {{kind: angle_encoder, body: {body}, sigma: 1.0e-3}}'
    else:
        entry = (f'turning: {{kind: gyroscope, body: {body}, sigma: 2.0e-3}}, '
                 f'place: {{kind: position, point: {{body: {body}, at: [0.0, 0.0, 0.0]}}, '
                 'sigma: 1.0e-2}')
    return (f'sensors: {mechanism.name} has none; expected some in its file, or in one that '
            f'extends it, such as sensors: {{{entry}}}')
