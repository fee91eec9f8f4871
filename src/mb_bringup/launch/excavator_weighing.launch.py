"""An excavator that weighs its bucket: joint angles, load and digging force without encoders.

    ros2 launch mb_bringup excavator_weighing.launch.py seed:=2

The prototype is an excavator on a pontoon that tilts and sways, built a little beside its file,
whose valves and slewing motor follow a work cycle.  Drivers read an IMU on house, boom, arm and
bucket and six pressures; virtual sensors say when the bucket's cylinder is at a stop, and that the
machine stands; an observer estimates angles, biases and mountings; the scales find load and force
at the edge, and the weighing monitor ends the run with a report.
"""

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
from mb_bringup.launched_run import PATIENCE, LaunchedRun
from mb_bringup.model_files import written
from mb_estimators import available_filters
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_evaluation.results import new_folder
from mb_model import WorkCycle, load_mechanism
from mb_model.file_api import read_parameters
from mb_sensors import sensors_of
from mb_simulation.as_built import as_built, as_mounted, started_beside
from mb_simulation.played_commands import cycle_file

ARGUMENTS = {
    'mechanism': Argument('excavator_afloat', 'Name of a mechanism with hydraulics, or path of its '
                          'file'),
    'cycle': Argument('excavator_afloat', 'Work cycle: a CSV file, or the name of one in '
                      'mb_simulation/work_cycles'),
    'duration': argument_like('', 'Simulated time [s]; empty: as in the work cycle, 120 at most; '
                              'the whole of excavator_afloat takes 440', MonitorSettings,
                              'duration'),
    'estimator': Argument('kinematic_kf', 'Filter that finds angles, biases and mountings',
                          available_filters()),
    'start_error': Argument('0.05', 'Deviation of the angles from which the filter starts [rad]',
                            kind=float, at_least=0.0, at_most=0.2),
    **EVERY_RUN,
    'publish_rate': argument_like('100.0', 'States of the truth per simulated second [Hz]',
                                  MonitorSettings, 'publish_rate'),
}
SHORT = 120.0                           # of a demonstration [s]
LEARNING = 300.0                        # a run is judged from then on, or in its second half [s]
MACHINE = 0                             # seed of the machine as built: the cycle was made with it
DEVICES = 'gyroscope', 'accelerometer', 'pressure'
ANGLES = 'boom_angle', 'arm_angle', 'bucket_angle'


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = given_values(context, ARGUMENTS)
    mechanism, seed = load_mechanism(given['mechanism']), number(given, 'seed', int)
    cycle = cycle_file(given['cycle'])
    duration = (number(given, 'duration') if given['duration']
                else min(SHORT, WorkCycle.load(cycle, mechanism).duration))
    pace = pace_of(given, duration)
    every = sensors_of(mechanism, list(mechanism.sensors))
    devices = [sensor for sensor in every if sensor.kind in DEVICES]
    virtual = [sensor for sensor in every
               if sensor.settings.sporadic or sensor.kind == 'position']
    imus = [sensor.name for sensor in devices if sensor.kind != 'pressure']
    read = [*imus, *(sensor.name for sensor in virtual)]
    config = config_files(mechanism, given['config'])
    check_launched(given['estimator'], mechanism, sensors_of(mechanism, read), config)
    machine = as_mounted(as_built(mechanism, MACHINE), imus, seed)
    believed = started_beside(mechanism, ANGLES, seed, number(given, 'start_error'))
    folder = new_folder(given['results'])       # last: wrong arguments leave nothing behind
    run = LaunchedRun(given, written(machine, folder / 'machine.yaml'), config)
    model = {'mechanism': written(believed, folder / 'model.yaml')}
    run.follow('mb_simulation', 'work_cycle', {
        'cycle': str(cycle), 'listeners': 2 if given['record'] == 'true' else 1})
    run.read(devices)       # first: nodes in a process with drivers take their readings at once
    run.follow('mb_sensors', 'virtual_sensors', {
        **model, 'standing': [one.name for one in virtual if one.kind == 'position']})
    run.follow('mb_estimators', 'estimator', {
        **model, 'estimator': given['estimator'], 'sensors': read}, reads=devices, resumes=True,
        unless_given={'reorder_window': PATIENCE * pace['real_time_factor']})
    run.follow('mb_contact', 'tool_scales', model)
    run.show('excavator_weighing')
    run.record(folder)
    learning = read_parameters(config, 'weighing_monitor').get(
        'learning', min(LEARNING, round(0.5 * duration, 3)))
    return run.actions(('weighing_monitor', {
        **pace, 'learning': learning, 'estimator': given['estimator'], 'sensors': read,
        'engine': given['prototype'], 'cycle': given['cycle'], 'seed': seed,
        'folder': str(folder)}),
        {**pace, 'wait_for_player': True})
