"""Common options of commands: the filter, and its readings."""

from mb_estimators.filter import needs_hydraulics
from mb_estimators.plugins import filter_class
from mb_model import apply_model_errors, load_mechanism
from mb_model.commands.assignments import assigned, changes_of
from mb_model.settings import SettingError
from mb_sensors import sensors_of


def add_model_arguments(parser):
    """Add mechanism, its errors and sensors to an argparse parser."""
    parser.add_argument('--mechanism', default='four_bar', metavar='NAME',
                        help='name of a mechanism or path of its file (%(default)s)')
    parser.add_argument('--sensors', nargs='+', required=True, metavar='NAME',
                        help='sensors or sensor groups of the mechanism that are read')
    parser.add_argument('--dt', type=float, default=5e-3,
                        help='longest step of the model [s] (%(default)s)')
    parser.add_argument('--model-error', action='append', default=[], metavar='KEY=VALUE',
                        dest='model_errors', help='what is wrong with the model on purpose: '
                        'gravity=-1 (added to its magnitude), z0=pi/16 (added to the start), or '
                        'any entry of the mechanism file; repeatable')


def add_filter_arguments(parser):
    """Add what add_model_arguments does, filter and its settings to an argparse parser."""
    add_model_arguments(parser)
    parser.add_argument('--estimator', default='error_ekf_fe', metavar='NAME',
                        help='name of a filter (%(default)s)')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', dest='settings',
                        help='of the filter, such as acceleration_variance=1e-3; repeatable')


def add_truth_argument(parser):
    """Add the topic of the true motion."""
    parser.add_argument('--truth', metavar='TOPIC', help='topic of the true MechanismStates in a '
                        'bag (default: /prototype/state, where there is one)')


def model_errors(given, mechanism):
    """Return the errors of the model, as apply_model_errors takes them.  Raises ValueError."""
    errors = changes_of(given.model_errors, '--model-error')
    return {key: mechanism.number(value) if key in ('gravity', 'z0') and isinstance(value, str)
            else value for key, value in errors.items()}


def filter_settings(given):
    """Return the given settings of the filter, checked; raises ValueError."""
    settings = assigned(given.settings, '--set')
    try:
        checked = filter_class(given.estimator).Settings.from_mapping(settings)
    except SettingError as error:
        raise SettingError(f'--set {error}') from None
    return {name: getattr(checked, name) for name in settings}


def model_and_sensors(given):
    """Return the Mechanism as the filter has it, and the Sensors.  Raises ValueError."""
    mechanism = load_mechanism(given.mechanism)
    model = apply_model_errors(mechanism, model_errors(given, mechanism))
    pairs = zip(sensors_of(mechanism, given.sensors), sensors_of(model, given.sensors), strict=True)
    return model, [sensor.with_settings(believed.settings) for sensor, believed in pairs]


def commanded_valves(given, mechanism):
    """Return the valves of a mechanism whose commands the filter takes, none for most filters."""
    takes = needs_hydraulics(filter_class(given.estimator))
    return mechanism.circuit.valves if takes and mechanism.circuit else ()
