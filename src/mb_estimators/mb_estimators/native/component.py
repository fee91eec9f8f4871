"""The estimator of a node's parameters, compiled for the component of mb_realtime."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mb_estimators.consistency.normalized import chi_square_bound
from mb_estimators.estimator_setup import EstimatorSetup
from mb_estimators.native.c_library import NotInCError
from mb_estimators.native.compiler import compiled, require_compiler
from mb_estimators.native.folder import export
from mb_estimators.recording.input_topic import NUMBERS_TYPE, joints_of_motors
from mb_estimators.stream.stream_settings import StreamSettings
from mb_estimators.timeline import COMMANDS, ReadInputs
from mb_model.file_api import GivenParameters
from mb_model.jit import Target

ONLY_IN_PYTHON = 'interpolate', 'late_estimates', 'restart', 'stuck_after'    # unless by default
_OF_STREAM = ('first_reading', 'history_length', 'input_rate', 'leave_out_repeats',
              'longest_gap', 'nis_bound', 'nis_time', 'reorder_window', 'sensor_timeout',
              'start_time')
_OF_NODE = 'prediction_rate', 'publish_rate', 'status_rate'


def component_parameters(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return what the component of mb_realtime is given, to estimate as the node would.

    values: parameters of the estimator node by name; folder: a new one, for the exported filter and
    its plugin.  Raises ValueError for a setting or a filter that is not there in C, and without a
    compiler of C; CalledProcessError where that fails.
    """
    setup = EstimatorSetup(GivenParameters(values).settings_of)
    _require_in_c(setup)
    compiler = require_compiler()
    export(setup.filter, setup.settings.estimator, folder, Target.here())
    stream, node = asdict(setup.stream_settings), asdict(setup.settings)
    return {'library': str(compiled(folder, compiler)),
            **{name: stream[name] for name in _OF_STREAM},
            **{name: node[name] for name in _OF_NODE},
            **_gates(setup), **_inputs(setup)}


def _require_in_c(setup: EstimatorSetup) -> None:
    """Raise NotInCError for settings that the stream in C does not have."""
    stream, usual = setup.stream_settings, StreamSettings()
    for name in ONLY_IN_PYTHON:
        if getattr(stream, name) != getattr(usual, name):
            raise NotInCError(f'{name}: {getattr(stream, name)} is not there in C, expected '
                              f'{getattr(usual, name)}')
    for one in setup.sensors:
        if one.settings.sporadic:
            raise NotInCError(f'{one.name}: messages that say that there is nothing to read are '
                              'not there in C, expected sensors that are not sporadic')
    for sensor, gate in setup.gates.items():
        if gate.gate not in ('off', 'reject'):
            raise NotInCError(f'{sensor}.gate: {gate.gate} is not there in C, expected reject')
    if setup.takes_commands:
        raise NotInCError(f'{setup.settings.estimator}: estimates oil, of which the component of '
                          'mb_realtime publishes nothing, expected a filter of motion')
    if setup.settings.checkpoint:
        raise NotInCError('checkpoint: is not there in C, expected none')
    if setup.input_topic and issubclass(setup.input_topic.inputs, ReadInputs):
        raise NotInCError('torques_are: measured forces on straight lines are not there in C, '
                          f'expected {COMMANDS}: each is held until the next one')


def _gates(setup: EstimatorSetup) -> dict[str, Any]:
    """Return the bounds of the gates of sensors, 0: none; nothing where none has a gate."""
    bounds = [chi_square_bound(len(sensor.channels), 1.0 - gate.gate_probability)
              if gate.gate != 'off' else 0.0
              for sensor in setup.sensors for gate in (setup.gates[sensor.name],)]
    return {'gates': bounds} if any(bounds) else {}


def _inputs(setup: EstimatorSetup) -> dict[str, Any]:
    """Return what the component is to know of known forces."""
    topic = setup.input_topic
    if topic is None:
        return {}
    named = topic.message_type != NUMBERS_TYPE
    joints = joints_of_motors(setup.mechanism, topic.name if named else '')
    of_degree = {k: joint for joint, k in joints.items()}
    return {'known_forces': topic.name,
            **({'command_joints': list(setup.settings.command_joints)} if not named else {}),
            **({'force_joints': [of_degree.get(k, '') for k in range(setup.mechanism.g)]}
               if joints else {})}
