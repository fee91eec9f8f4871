"""Filters as C libraries: the same numbers as in Python, nothing allocated, other processors."""

import re
import shutil
import subprocess

from exported import DT, filter_on, in_python, needs_compiler, readings_near
import numpy as np
import pytest

from mb_estimators.commands.export import main
from mb_estimators.native.c_library import NotInCError
from mb_estimators.native.folder import export
from mb_estimators.plugins import GROUP
from mb_model.jit import Target
from mb_model.kind_api import plugin_names

# Machines in the plane and in space, with oil, afloat; filters of every kind that is there in C.
MACHINES = {
    'four_bar': ('error_ekf_fe', ['crank_encoder', 'coupler_gyro']),
    'five_bar': ('ukf', ['crank_encoders']),
    'spatial_four_bar': ('augmented_ekf', ['crank_encoder']),
    'stewart': ('error_ekf', ['encoders']),
    'crane': ('hydraulic_kinematic_ekf', ['cylinder_encoder', 'pressure1', 'pressure2']),
    'excavator': ('hydraulic_ekf', ['encoders', 'pressures']),
    'excavator_afloat': ('error_ekf_fe', ['encoders', 'imus'])}
OTHERS = ('adaptive_error_ekf_fe', 'cekf', 'cekf_penalty', 'ckf', 'dekf', 'dekf_exponential',
          'diekf_pm', 'error_ekf_ej', 'h_infinity', 'iterated_ekf', 'kinematic_kf', 'platform_ekf',
          'sckf', 'shaping_error_ekf_fe', 'srukf', 'ssukf', 'ssukf_acceleration',
          'ukf_acceleration')
IN_C = {*OTHERS, *(name for name, _ in MACHINES.values())}

PROGRAM = """
#include "{name}.h"
#include <stdio.h>
#include <stdlib.h>
int allocated = 0;
void *__real_malloc(size_t); void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t); void *__real_aligned_alloc(size_t, size_t);
void *__wrap_malloc(size_t n) {{ allocated++; return __real_malloc(n); }}
void *__wrap_calloc(size_t n, size_t k) {{ allocated++; return __real_calloc(n, k); }}
void *__wrap_realloc(void *p, size_t n) {{ allocated++; return __real_realloc(p, n); }}
void *__wrap_aligned_alloc(size_t a, size_t n) {{ allocated++; return __real_aligned_alloc(a, n); }}
static void print(const double *numbers, int count) {{
  for (int k = 0; k < count; k++)
    printf("%a ", numbers[k]);
}}
int main(void) {{
  double dt, y[{NAME}_CHANNELS], u[{NAME}_INPUTS];
  static double P[{NAME}_MOTION_STATES * {NAME}_MOTION_STATES];
  const int none = allocated;
  {name} *other = {name}_create(), *e = {name}_create();
  const int made = allocated - none;
  for (int k = 0; k < {NAME}_INPUTS; k++)
    u[k] = {input};
  while (scanf("%lf", &dt) == 1) {{
    for (int k = 0; k < {NAME}_CHANNELS; k++)
      if (scanf("%lf", &y[k]) != 1)
        return 1;
    const int before = allocated;
    if (dt > 0.0 && {name}_predict(e, dt, u))
      return 2;
    {name}_status status = {name}_correct(e, y);
    if (allocated != before)
      return 5;
    if (status && status != {NAME}_IMPOSSIBLE)
      return 3;
    print({name}_z(e), {NAME}_DEGREES);
    print({name}_zd(e), {NAME}_DEGREES);
    print({name}_zdd(e), {NAME}_DEGREES);
    printf("\\n");
  }}
  {name}_covariance(e, P);
  print(P, {NAME}_MOTION_STATES * {NAME}_MOTION_STATES);
  printf("\\n");
  y[0] = 1.0 / 0.0;
  if ({name}_predict(e, -1.0, NULL) != {NAME}_BAD_ARGUMENT ||
      {name}_correct(e, y) != {NAME}_BAD_ARGUMENT || made != 2)
    return 4;
  {name}_destroy(e);
  {name}_destroy(other);
  return 0;
}}
"""


def in_c(folder, compiler, runner, readings, value):
    """Return what in_python does, by a program around the library in a folder."""
    name, program = folder.name, folder / 'program'
    (folder / 'program.c').write_text(
        PROGRAM.format(name=name, NAME=name.upper(), input=value))
    subprocess.run([*compiler, '-std=c11', '-Wall', '-Wextra', '-Werror', '-O2',
                    '-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc', '-o',
                    program, folder / 'program.c', folder / f'{name}.c',
                    folder / f'{name}_kernels.o', '-lm'], check=True)
    lines = [' '.join(float(one).hex() for one in [DT if k else 0.0, *row])
             for k, row in enumerate(readings)]
    done = subprocess.run([*runner, program], input='\n'.join(lines), text=True,
                          capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    *rows, covariance = ([float.fromhex(word) for word in line.split()]
                         for line in done.stdout.splitlines())
    return np.array(rows), np.array(covariance).reshape(2 * (round(len(covariance) ** 0.5),))


def compared(machine, name, sensors, target, folder, compiler, runner=()):
    """Return in_python, in_c of a filter."""
    readings = readings_near(filter_on(machine, name, sensors), np.random.default_rng(3))
    folder = folder / f'{machine}_{name}'
    export(filter_on(machine, name, sensors), name, folder, target)
    own = filter_on(machine, name, sensors)
    inputs = 0.01 if name.startswith('hydraulic') else 0.5
    count = len(own.mechanism.circuit.valves) if inputs == 0.01 else own.mechanism.g
    return in_python(own, readings, np.full(count, inputs)), in_c(
        folder, compiler, runner, readings, inputs)


def assert_same(first, second, **tolerance):
    """Check states to the bit unless there is a tolerance, and covariances."""
    np.testing.assert_allclose(second[0], first[0], **tolerance or {'rtol': 0.0})
    scale = np.sqrt(first[1].diagonal())
    np.testing.assert_allclose(second[1] / np.outer(scale, scale),
                               first[1] / np.outer(scale, scale), atol=1e-9)


@needs_compiler
@pytest.mark.parametrize('machine', [
    name if name in ('four_bar', 'excavator') else pytest.param(name, marks=pytest.mark.whole)
    for name in MACHINES])
def test_numbers_are_those_of_python_to_the_bit(machine, tmp_path):
    assert_same(*compared(machine, *MACHINES[machine], Target.here(), tmp_path, ['cc']))


@needs_compiler
@pytest.mark.whole
@pytest.mark.parametrize('name', OTHERS)
def test_other_filters_are_those_of_python_to_the_bit(name, tmp_path):
    assert_same(*compared('four_bar', name, ['crank_encoder'], Target.here(), tmp_path, ['cc']))


@pytest.mark.skipif(not (shutil.which('qemu-aarch64') and shutil.which('aarch64-linux-gnu-gcc')),
                    reason='no emulator of another processor, or no compiler for it')
@pytest.mark.whole
@pytest.mark.parametrize('machine', ['four_bar', 'stewart'])
def test_another_processor_has_the_same_numbers_to_rounding(machine, tmp_path):
    """Functions of its mathematics round otherwise."""
    target = Target('aarch64-unknown-linux-gnu', 'generic')
    assert_same(*compared(machine, *MACHINES[machine], target, tmp_path,
                          ['aarch64-linux-gnu-gcc', '-static'], ['qemu-aarch64']),
                rtol=1e-9, atol=1e-9)


@needs_compiler
def test_what_the_readme_says_works(tmp_path, capsys):
    folder = tmp_path / 'with a space' / 'my_estimator'
    folder.parent.mkdir()
    assert main(['four_bar', '--sensors', 'crank_encoder', '--output', str(folder)]) == 0
    assert 'README.md' in capsys.readouterr().out
    assert main(['four_bar', '--sensors', 'crank_encoder', '--output', str(folder)]) == 2
    assert 'expected a new folder' in capsys.readouterr().err
    if not shutil.which('cmake'):
        pytest.skip('no cmake')
    cmake, line = re.findall(r'^    (cmake .*|printf .*)$', (folder / 'README.md').read_text(),
                             re.MULTILINE)
    done = subprocess.run(['sh', '-ec', f'{{ {cmake}; }} > log\n{line}'], cwd=folder, text=True,
                          capture_output=True, check=True)
    first, second = ([float.fromhex(word) for word in row.split()]
                     for row in done.stdout.splitlines())
    own = filter_on('four_bar', 'error_ekf_fe', ['crank_encoder'])
    assert first[:2] == [own.mechanism.z0[0], 0.0]
    own.predict(5e-3)
    assert second[0] == own.estimate.z[0]


@pytest.mark.parametrize('name', sorted(set(plugin_names(GROUP)) - IN_C))
def test_filters_that_are_not_in_c_say_so(name, tmp_path):
    machine, sensors = (('crane', ['cylinder_encoder', 'pressure1', 'pressure2'])
                        if name.startswith('hydraulic') else ('four_bar', ['crank_encoder']))
    with pytest.raises(NotInCError, match=r'not there in C|no compiled kernels'):
        export(filter_on(machine, name, sensors), name, tmp_path / 'library', Target.here())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize('name', ['cekf', 'platform_ekf', 'sckf', 'ukf_acceleration'])
def test_filters_that_are_not_in_c_where_orientations_are_states_say_so(name, tmp_path):
    with pytest.raises(NotInCError, match='orientations as degrees of freedom are not there in C'):
        export(filter_on('stewart', name, ['encoders']), name, tmp_path / 'library', Target.here())


@pytest.mark.parametrize(('arguments', 'message'), [
    (['--output', 'My-Library'], 'no name of a library'),
    (['--output', 'double'], 'no word of C'),
    (['--output', 'no/where'], '--output'),
    (['--output', 'library', '--estimator', 'kalman'], 'kalman'),
    (['--output', 'library', '--set', 'acceleration_variance=-1'], 'acceleration_variance')])
def test_mistakes_are_reported_in_one_line(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(['four_bar', '--sensors', 'crank_encoder', *arguments]) == 2
    error = capsys.readouterr().err.strip().splitlines()
    assert message in error[-1]
    assert not list(tmp_path.iterdir())
