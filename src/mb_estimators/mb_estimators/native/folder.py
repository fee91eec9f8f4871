"""Folders with a filter as a C library: object code, header, source, CMake files, an example."""

from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from mb_estimators.filters.dependent import DependentFilter
from mb_estimators.filters.estimated_force import ForceFilter
from mb_estimators.filters.hydraulic_filter import HydraulicFilter
from mb_estimators.filters.kinematic import KinematicFilter
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parameters import EstimatesParameters
from mb_estimators.kernels.orientations import see_from_bodies
from mb_estimators.native.c_library import (
    NotInCError,
    indented,
    library_name,
    strings,
    write_library,
)
import mb_estimators.native.continuous
from mb_estimators.native.corrections import report
from mb_estimators.native.methods import Own, statements
import mb_estimators.native.of_accelerations
import mb_estimators.native.predictions  # noqa: F401
from mb_estimators.native.program import Program, numbers_at, padded
from mb_model.jit import Target
from mb_sensors import Sensor
from mb_sensors.command_api import (
    DynamicJointStateMessage,
    FieldsMessage,
    ImuMessage,
    JointStateMessage,
)

_FILES = {'{}.h': 'estimator.h', '{}.c': 'estimator.c', 'example.c': 'example.c',
          'mb_estimator.h': 'mb_estimator.h', **{name: name for name in (
              'mb_stream.h', 'mb_stream.c', 'mb_stream_gates.c', 'mb_stream_inputs.c',
              'mb_stream_instants.c', 'mb_stream_opening.c', 'mb_stream_order.c',
              'mb_stream_parts.h', 'mb_stream_repeats.c', 'mb_stream_run.c')},
          '{}_plugin.c': 'plugin.c',
          '{}_plugin.map': 'plugin.map', 'CMakeLists.txt': 'CMakeLists.txt',
          'README.md': 'README.md'}


def export(filter_: Any, estimator: str, folder: Path, target: Target) -> None:
    """Write a filter, at its start, to a new folder, as a library of the folder's name.

    estimator: the filter's name.  Raises NotInCError (ValueError) for a filter that is not there in
    C, and for a name that C does not take.
    """
    if not isinstance(filter_, ModelFilter):
        raise NotInCError(f'{type(filter_).__name__}: its steps are no compiled kernels')
    program = Program(library_name(folder))
    texts = _texts(Own(filter_), program) | {'filter': estimator}
    write_library(folder, program, target, resources.files(__package__) / 'c', _FILES, texts)


def _texts(own: Own, program: Program) -> dict[str, str]:
    """Return what stands for each @name@ in the files."""
    mechanism, name, filters = own.mechanism, program.name, own.filters
    works = own.reported if isinstance(own.filter, KinematicFilter) else own.works
    has_force, given = isinstance(own.filter, ForceFilter), own.uncertainty.given
    inputs = (mechanism.circuit.valves if isinstance(own.filter, HydraulicFilter)
              else mechanism.independent)
    channels = [channel for sensor in own.sensors for channel in sensor.channels]
    texts = {
        'name': name, 'NAME': program.constant,
        'machine': mechanism.name, 'sensors': ', '.join(one.name for one in own.sensors),
        'inputs': str(len(inputs)), 'input_names': strings(inputs),
        'input_list': ' '.join(inputs), 'degrees': str(mechanism.g),
        'coordinates': str(mechanism.n),
        'channels': str(len(channels)), 'motion': str(given), 'longest': repr(own.dt),
        'gate': repr(float(own.filter.settings.gate)),
        'timed': str(int(bool(mechanism.described.prescribed))),
        'and_zdd': ', zdd' if given > 2 * mechanism.g else '',
        'channel_list': ' '.join(channels), 'degree_list': ' '.join(mechanism.independent),
        'no_readings': ' '.join(len(channels) * ['nan']),
        'degree_names': strings(mechanism.independent),
        'coordinate_names': strings(mechanism.coordinates), 'channel_names': strings(channels),
        'predict': indented(statements(own, program, 'predict')),
        'correct': indented('\n'.join(filter(None, [
            statements(own, program, 'correct'), report(own, program)]))),
        'covariance': indented(_covariance(own, program, has_force)),
        'parameter': indented(_parameter(own, program)), 'parameters': str(len(_names(own))),
        'parameter_names': ''.join(f'"{name}", ' for name in _names(own)),
        'force_declaration': (
            '\n/* Estimated forces on the degrees of freedom [N, N m]. */\n'
            f'const double *{name}_forces(const {name} *e);\n' if has_force else ''),
        'force_definition': (f'const double *{name}_forces(const {name} *e) {{ return numbers(e, '
                             f'{program.offset(filters, "force")}); }}\n' if has_force else ''),
        'plugin_force': (f'static const double *{name}_plugin_force(const void *e) {{ '
                         f'return {name}_forces(e); }}\n'
                         if has_force else ''),
        'force_or_null': f'{name}_plugin_force' if has_force else 'NULL'} | _sensors(own, name)
    texts |= {f'at_{field}': str(program.offset(record, field)) for record, fields in (
        (works, ('z', 'zd', 'zdd', 'q', 'qd', 'qdd')),
        (filters, ('gate', 'nis', 'count', 'rejected_count', 'rejected', 'present', 'residual',
                   'residual_covariance'))) for field in fields}
    texts['residual_columns'] = str(filters['residual_covariance'].shape[-1])
    return texts | {'declarations': program.declarations(), 'size': str(program.size),
                    'state_size': str(padded(program.size + 8 * len(channels) + 12))}


def _sensors(own: Own, name: str) -> dict[str, str]:
    """Return the list of sensors in C, and what it refers to."""
    lists, rows, first = [], [], 0
    for k, sensor in enumerate(own.sensors):
        count, codec = len(sensor.channels), sensor.message
        field, parts = _read_of(sensor)
        words = strings((sensor.name, sensor.kind, sensor.topic, codec.type_name, field))
        lists.append(f'static const char *const {name}_parts_{k}[] = {{{strings(parts)}}};')
        rows.append(f'  {{{words}, {name}_parts_{k}, {first}, {count}, '
                    f'{sensor.settings.rate!r}, {sensor.settings.variance ** 0.5!r}}},')
        first += count
    return {'part_lists': '\n'.join(lists), 'sensor_list': '\n'.join(rows)}


def _read_of(sensor: Sensor) -> tuple[str, Sequence[str]]:
    """Return the field of its message that a Sensor reads, and its part for each channel."""
    codec = sensor.message
    if isinstance(codec, JointStateMessage):
        return codec.field, sensor.joints
    if isinstance(codec, DynamicJointStateMessage):
        return codec.interface, sensor.joints
    if isinstance(codec, ImuMessage):
        return codec.vector, codec.axes(sensor)
    if isinstance(codec, FieldsMessage):
        paths = [path.rpartition('.') for path in codec.fields(sensor)]
        return paths[0][0] or paths[0][2], [last for _, _, last in paths][:len(sensor.channels)]
    return '', sensor.channels


def _covariance(own: Own, program: Program, has_force: bool) -> str:
    """Return the statements in C that write the covariance of the motion."""
    size, g = own.uncertainty.given, own.g
    if isinstance(own.filter, DependentFilter):
        return _covariance_by_factor(own, program)
    P, columns = program.number(own.filters, 'P'), own.filters['P'].shape[-1]
    lines = [f'for (int i = 0; i < {size}; i++)\n  for (int j = 0; j < {size}; j++)\n'
             f'    covariance[i * {size} + j] = {P}[i * {columns} + j];']
    works = own.works
    if has_force:
        A, B = (program.number(works, field) for field in 'AB')
        rows = works['A'].shape[-1]
        lines.append(f"""/* zdd errs by its state's error and by A dz + B dzd */
for (int side = 0; side < 2; side++)
  for (int k = 0; k < {size}; k++)
    for (int i = 0; i < {g}; i++)
      for (int j = 0; j < {2 * g}; j++) {{
        const double by = j < {g} ? {A}[i * {rows} + j] : {B}[i * {rows} + j - {g}];
        if (side)
          covariance[({2 * g} + i) * {size} + k] += by * covariance[j * {size} + k];
        else
          covariance[k * {size} + {2 * g} + i] += by * covariance[k * {size} + j];
      }}""")
    charts = np.array(own.orientations.independent, np.int64).reshape(-1, 3)
    if charts.size:
        rates = [numbers_at(program.number(works, name), g) for name in ('zd', 'zdd')]
        written = numbers_at('covariance', size, size)
        called = program.call(see_from_bodies, charts, g, *rates, written, True)
        lines.append(f'/* of angular velocities in the frames of bodies */\n{called};')
    return '\n'.join(lines)


def _names(own: Own) -> Sequence[str]:
    """Return the names of the parameters of the model that are estimated."""
    estimates = isinstance(own.filter, EstimatesParameters)
    return own.parameters.names if estimates else ()


def _parameter(own: Own, program: Program) -> str:
    """Return the statements that return parameter k, and write its deviation."""
    if not _names(own):
        return '(void)e;\n(void)k;\n*deviation = 0.0;\nreturn 0.0;'
    values, estimated = own.parameters.records, own.parameters.estimated
    first, columns = own.layout['parameter'].start, own.filters['P'].shape[-1]
    return (f'const double value = *numbers(e, {program.offset(values, "value")} + '
            f'k * {values.dtype.itemsize});\n'
            f'const double rate = {program.number(estimated, "positive", "int64_t")}[k] == 1 ? '
            f'value : {program.number(estimated, "unit")}[k];\n'
            f'const double variance = {program.number(own.filters, "P")}'
            f'[({first} + k) * {columns + 1}];\n'
            '*deviation = sqrt(variance * (rate * rate));\nreturn value;')


def _covariance_by_factor(own: Own, program: Program) -> str:
    """Return the statements for the covariance of z and zd, by the factor of all coordinates."""
    z, n = own.models['independent'][0, :own.g], own.n
    rows = ', '.join(map(str, [*z, *(n + z)]))
    factor, columns = program.number(own.filters, 'factor'), own.filters['factor'].shape[-1]
    return f"""static const int rows[] = {{{rows}}};
for (int i = 0; i < {2 * own.g}; i++)
  for (int j = 0; j < {2 * own.g}; j++) {{
    double sum = 0.0;
    for (int k = 0; k < {own.layout.size}; k++)
      sum += {factor}[rows[i] * {columns} + k] * {factor}[rows[j] * {columns} + k];
    covariance[i * {2 * own.g} + j] = sum;
  }}"""
