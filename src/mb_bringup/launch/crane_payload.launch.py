"""The mass of a hydraulic crane's load in real time, from one position and two pressures.

    ros2 launch mb_bringup crane_payload.launch.py load:=100.0

The prototype is a crane whose valve follows a work cycle; drivers read its position and pressures
at 100 Hz, an observer estimates motion, pressures and spool from them in steps of 1 ms, the payload
estimator finds the mass, and the payload monitor ends the run with a report.
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
from mb_bringup.launched_run import LaunchedRun
from mb_bringup.model_files import loaded, misjudged, written
from mb_bringup.unmodelled import JOINTS, OIL, unmodelled
from mb_contact import PayloadSettings
from mb_estimators import available_filters
from mb_evaluation.nodes.monitor import MonitorSettings
from mb_evaluation.results import new_folder
from mb_model import WorkCycle, load_mechanism
from mb_sensors import sensors_of
from mb_simulation.played_commands import cycle_file

METHODS = {name: description.choices for name, _, description in PayloadSettings.describe()}
ARGUMENTS = {
    'mechanism': Argument('crane', 'Name of a mechanism with hydraulics, or path of its file'),
    'cycle': Argument('crane', 'Work cycle: a CSV file, or the name of one in '
                      'mb_simulation/work_cycles'),
    'duration': argument_like('', 'Simulated time [s]; empty: as in the work cycle',
                              MonitorSettings, 'duration'),
    'load': Argument('50.0', 'Mass of the load at the start [kg]', kind=float, at_least=0.0,
                     at_most=1e6),
    'estimator': Argument('hydraulic_kinematic_ekf', 'Filter that observes motion and oil',
                          available_filters()),
    'method': Argument('low_pass', 'How the mass of every instant becomes an estimate',
                       METHODS['method']),
    'friction_error': Argument('0.0', 'By which share the estimators take friction for greater '
                               'than it is', kind=float, above=-1.0, at_most=1000.0),
    'arm_mass_error': Argument('0.0', "By which share they take the arm's mass for greater than "
                               'it is', kind=float, above=-1.0, at_most=1000.0),
    'arm_bending_stiffness': Argument('0.0', "E I of the machine's arm, which bends in the "
                                      'prototype in MuJoCo, and in no model [N m^2]; 0: rigid',
                                      kind=float, at_least=0.0, at_most=1e9, unit='N m^2'),
    **OIL, **JOINTS,
    **EVERY_RUN,
}
PATIENCE = 0.5                          # wall time that the estimator waits for a sensor [s]
# An estimator that comes back needs the commands since its checkpoint, which the operator keeps.
KEPT_COMMANDS = {'qos_overrides./valve_command.subscription.durability': 'transient_local'}
ARM = 'arm'                             # body that bends, if one does
UNKNOWN = 'load'                        # the mass to be found, a parameter of the mechanism
WRONG_MODEL_BOUND = 0.15                # of a mass by a model that is known to be wrong, as a share


def generate_launch_description():
    """Declare the arguments; what depends on their values follows when they are known."""
    return described(ARGUMENTS, start_everything)


def start_everything(context):
    """Return the processes of one run, and what ends it."""
    given = given_values(context, ARGUMENTS)
    mechanism = load_mechanism(given['mechanism'])
    machine = loaded(mechanism, UNKNOWN, number(given, 'load'))
    errors = number(given, 'friction_error'), number(given, 'arm_mass_error')
    believed = misjudged(mechanism, friction=errors[0], mass=errors[1])
    cycle = cycle_file(given['cycle'])
    duration = (number(given, 'duration') if given['duration']
                else WorkCycle.load(cycle, mechanism).duration)
    pace, stiffness = pace_of(given, duration), number(given, 'arm_bending_stiffness')
    elastic = {'elastic_body': ARM, 'bending_stiffness': stiffness} if stiffness else {}
    real = unmodelled(machine, given, **elastic)
    sensors = [sensor for sensor in sensors_of(mechanism, list(mechanism.sensors))
               if sensor.kind in ('linear_encoder', 'pressure')]
    names = [sensor.name for sensor in sensors]
    config = config_files(mechanism, given['config'])
    check_launched(given['estimator'], mechanism, sensors, config)
    folder = new_folder(given['results'])       # last: wrong arguments leave nothing behind
    run = LaunchedRun(given, written(machine, folder / 'machine.yaml'), config)
    model = {'mechanism': written(believed, folder / 'model.yaml')}
    run.follow('mb_simulation', 'work_cycle', {
        'cycle': str(cycle), 'listeners': 4 if given['record'] == 'true' else 3})
    run.read(sensors)       # first: nodes in a process with drivers take their readings at once
    run.follow('mb_estimators', 'estimator', {
        **model, 'estimator': given['estimator'], 'sensors': names,
        **(KEPT_COMMANDS if given['respawn'] == 'true' else {})}, reads=sensors, resumes=True,
        unless_given={'reorder_window': PATIENCE * pace['real_time_factor']})
    run.follow('mb_contact', 'payload_estimator', {
        **model, 'masses': [UNKNOWN], 'method': given['method']})
    run.show('crane_payload')
    run.record(folder)
    bound = {'mass_bound_share': WRONG_MODEL_BOUND} if any(errors) else {}
    return run.actions(('payload_monitor', {
        **pace, **bound, 'estimator': given['estimator'], 'sensors': names, 'masses': [UNKNOWN],
        'engine': given['prototype'], 'cycle': given['cycle'],
        'seed': number(given, 'seed', int), 'folder': str(folder)}),
        {**pace, **real, 'wait_for_player': True})
