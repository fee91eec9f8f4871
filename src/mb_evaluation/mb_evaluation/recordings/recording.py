"""The estimate of a recording: the one in its bag, or one that a filter makes of its readings."""

from argparse import Namespace
from functools import partial
from typing import Any

from mb_estimators import Counts, EstimatorSettings, input_topic
from mb_estimators.command_api import (
    COMMAND_TOPIC,
    COMMAND_TYPE,
    FORCES_TYPE,
    given_parameters,
    recorded_parameters,
)
from mb_evaluation.accuracy.estimated import estimate
from mb_evaluation.accuracy.recorded_states import TRUTH, recorded_tracks
from mb_evaluation.recordings.contents import (
    estimates_in,
    filter_for,
    has_readings,
    mechanism_in,
    origin_in,
    sensors_in,
)
from mb_evaluation.recordings.estimate_log import EstimateLog
from mb_evaluation.recordings.messages import forces_on, recorded_log
from mb_evaluation.recordings.quantity import ACTUAL, COMMAND, KNOWN, force_units
from mb_model import Mechanism, load_mechanism
from mb_model.file_api import GivenParameters, read_parameters
from mb_sensors import KNOWN_FORCES, TRUE_FORCES, open_bag, sensors_of

TYPES = ('ValveCommand', 'EstimatorStatus', 'SensorConsistency', 'ParameterEstimate',
         'HydraulicState')      # of mb_interfaces that are read, beside MechanismState
CHOICES = ('estimator', 'sensors', 'config', 'settings')    # options that ask for a new estimate


def log_of(given: Namespace) -> tuple[EstimateLog, GivenParameters]:
    """Return the EstimateLog of a bag, and the parameters that count for it.

    given: parsed options of add_node_arguments, with `bag`.  Where these ask for no filter, an
    estimate in the bag counts.  Raises OSError, ValueError.
    """
    with open_bag(given.bag, *TYPES) as bag:
        topic = None if any(getattr(given, name) for name in CHOICES) else estimates_in(
            bag, given.name)
        values = read_parameters(given.config or recorded_parameters(given.bag), given.name)
        named = given.mechanism or values.get('mechanism') or mechanism_in(bag)
        if named is None:
            raise ValueError(f'{given.bag}: of which machine? --mechanism NAME or FILE (no '
                             'parameters.yaml beside the bag, and no states in it)')
        mechanism = load_mechanism(named)
        given.mechanism = str(named)
        parameters = given_parameters(given)
        if topic:
            log = recorded_log(bag, topic, mechanism)
            log.has_readings = bool(log.sensors) and all(
                has_readings(bag, sensor) for sensor in log.sensors)
        else:
            parameters.values.setdefault('estimator', filter_for(bag, mechanism))
            are_named = bool(parameters.values.get('sensors'))
            if not are_named:
                parameters.values['sensors'] = tuple(
                    sensor.name for sensor in sensors_in(bag, mechanism))
            log = _estimated(given, parameters, mechanism, '' if are_named else
                             ' (--sensors names the ones to be read)')
        _note_inputs(bag, log, parameters.settings_of(EstimatorSettings))
        if bag.has(TRUE_FORCES):
            for stamp, forces in bag.of(TRUE_FORCES, partial(forces_on, mechanism.independent)):
                log.actual.add_all(ACTUAL, force_units(mechanism), stamp, forces)
        log.damage += [*bag.damage, *bag.stamps.lines]
    if len(log.track) == 1:
        raise ValueError(f'{given.bag}: all readings are of one instant, '
                         f'{1e-9 * log.start:g} s; --set stamps=arrival takes when they came')
    log.first_stamp = origin_in(given.bag, mechanism, parameters.values.get('stamps'))
    log.truth = recorded_tracks(given.bag, mechanism, {'truth': TRUTH}, log.damage.append).get(
        'truth')
    log.damage = list(dict.fromkeys(log.damage))
    return log, parameters


def _estimated(given: Namespace, parameters: GivenParameters, mechanism: Mechanism,
               hint: str) -> EstimateLog:
    """Return the EstimateLog of the filter that parameters name.

    hint: what may help where there is none.  Raises ValueError.
    """
    settings = parameters.settings_of(EstimatorSettings)
    log = EstimateLog(settings.estimator, mechanism=mechanism,
                      sensors=sensors_of(mechanism, settings.sensors),
                      source=f'made of the readings by {settings.estimator}')
    estimate(given.bag, parameters, settings.estimator, log)
    if not len(log.track):
        counts = log.counts or Counts()
        raise ValueError(f'{given.bag}: no estimate: ' + (
            log.problem or f'readings used {counts.used}, rejected {counts.rejected}, late '
            f'{counts.late}; expected some of {", ".join(settings.sensors)}') + hint)
    return log


def _note_inputs(bag: Any, log: EstimateLog, settings: EstimatorSettings) -> None:
    """Note forces that are known, and commands of valves, where a Bag has them."""
    mechanism = log.mechanism
    forces = input_topic(mechanism, False, settings.known_forces, settings.torques_are,
                         settings.command_joints)
    if forces:
        for stamp, values in bag.of(bag.named(forces.name, forces.message_type), forces.values):
            log.inputs.add_all(KNOWN, force_units(mechanism), stamp, values)
    elif unused := [topic for topic, kind in bag.kinds.items()
                    if kind == FORCES_TYPE and topic.endswith(f'/{KNOWN_FORCES}')]:
        log.absent.append(f'known forces: {unused[0]} is in the bag, but the filter is not given '
                          f'it (--set known_forces={unused[0].removeprefix("/")})')
    commands = input_topic(mechanism, True)
    if commands and any(topic.endswith(f'/{COMMAND_TOPIC}') and kind == COMMAND_TYPE
                        for topic, kind in bag.kinds.items()):
        units = dict.fromkeys(mechanism.circuit.valves, '')
        for stamp, values in bag.of(bag.named(commands.name, commands.message_type),
                                    commands.values):
            log.inputs.add_all(COMMAND, units, stamp, values)
