"""Exported filters as plugins: any of them by the same interface, saved and restored."""

import ctypes
import subprocess

from exported import DT, filter_on, in_python, needs_compiler, readings_near
import numpy as np

from mb_estimators import make_filter
from mb_estimators.native.folder import export
from mb_model import load_mechanism
from mb_model.jit import Target
from mb_sensors import sensors_of

HOST = """
#include "mb_estimator.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const mb_estimator_api *opened(const char *path) {
  void *plugin = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!plugin)
    exit(fprintf(stderr, "%s", dlerror()));
  return ((mb_estimator_function)dlsym(plugin, "mb_estimator"))();
}
static void step(const mb_estimator_api *api, void *e, double dt, const double *y) {
  if (dt > 0.0 && api->predict(e, dt, NULL))
    exit(2);
  const mb_estimator_status status = api->correct(e, y);
  if (status && status != MB_ESTIMATOR_IMPOSSIBLE)
    exit(fprintf(stderr, "%s", api->words(status)));
}
int main(int count, char **paths) {
  const mb_estimator_api *api = NULL, *other = NULL;
  if (count != 3 || (api = opened(paths[1]))->version != MB_ESTIMATOR_VERSION ||
      (other = opened(paths[2]))->version != MB_ESTIMATOR_VERSION)
    return 1;
  for (int k = 0; k < api->sensors; k++)
    printf("%s %s %s %s %d ", api->sensor_list[k].name, api->sensor_list[k].message,
           api->sensor_list[k].field, api->sensor_list[k].parts[0], api->sensor_list[k].first);
  printf("%s %s %d\\n", api->degree_names[0], other->machine, !api->force);
  double dt, y[2];
  void *e = api->create(), *f = api->create(), *unlike = other->create();
  void *state = malloc(api->state_size), *again = malloc(api->state_size);
  while (scanf("%lf %lf %lf", &dt, &y[0], &y[1]) == 3) {
    api->save(e, state);
    step(other, unlike, 1e-3, y);
    step(api, e, 2e-3, y);
    api->restore(f, state);
    api->restore(e, state);
    step(api, e, dt, y);
    step(api, f, dt, y);
    api->save(e, state);
    api->save(f, again);
    if (memcmp(state, again, api->state_size))
      return 3;
    printf("%a %a %a\\n", api->z(e)[0], api->zd(e)[0], api->zdd(e)[0]);
  }
  return 0;
}
"""


@needs_compiler
def test_a_plugin_has_the_same_numbers_beside_another_one(tmp_path):
    """Also from a saved state on, after steps that came to nothing."""
    names, sensors = ('error_ekf', 'error_ekf_fe'), ['crank_encoder', 'coupler_gyro']
    for name in names:
        export(filter_on('four_bar', name, sensors), name, tmp_path / name, Target.here())
        subprocess.run(['cc', '-std=c11', '-Wall', '-Wextra', '-Werror', '-O2', '-shared', '-fPIC',
                        f'-Wl,--version-script={name}_plugin.map,--no-undefined', '-o',
                        tmp_path / f'{name}.so', f'{name}_plugin.c', f'{name}.c',
                        f'{name}_kernels.o', '-lm'], cwd=tmp_path / name, check=True)
    (tmp_path / 'host.c').write_text(HOST)
    subprocess.run(['cc', '-std=c11', f'-I{tmp_path / names[0]}', '-o', tmp_path / 'host',
                    tmp_path / 'host.c', '-ldl'], check=True)
    own = filter_on('four_bar', names[0], sensors)
    readings = readings_near(filter_on('four_bar', names[0], sensors), np.random.default_rng(3))
    lines = [' '.join(float(one).hex() for one in [DT if k else 0.0, *row])
             for k, row in enumerate(readings)]
    said, *rows = subprocess.run(
        [tmp_path / 'host', tmp_path / 'error_ekf.so', tmp_path / 'error_ekf_fe.so'],
        input='\n'.join(lines), text=True, capture_output=True, check=True).stdout.splitlines()
    numbers = [[float.fromhex(word) for word in row.split()] for row in rows]
    np.testing.assert_array_equal(numbers, in_python(own, readings, None)[0])
    assert said.split() == [
        'crank_encoder', 'sensor_msgs/msg/JointState', 'position', 'crank_encoder', '0',
        'coupler_gyro', 'sensor_msgs/msg/Imu', 'angular_velocity', 'z', '1',
        own.mechanism.independent[0], 'four_bar', '1']


@needs_compiler
def test_parameters_are_those_of_python(tmp_path):
    """One that stays positive, and one that need not; to the bit, with their deviations."""
    mechanism = load_mechanism('four_bar')
    own = make_filter('augmented_ekf', mechanism, sensors_of(mechanism, ['crank_encoder']), DT,
                      parameters=['gravity.y', 'bodies.coupler.mass'])
    readings = readings_near(own, np.random.default_rng(3))[:60]
    own.reset(mechanism.z0, mechanism.zd0)
    export(own, 'augmented_ekf', tmp_path / 'arm', Target.here())
    subprocess.run(['cc', '-std=c11', '-shared', '-fPIC', '-o', tmp_path / 'arm.so', 'arm.c',
                    'arm_kernels.o', '-lm'], cwd=tmp_path / 'arm', check=True)
    library = ctypes.CDLL(str(tmp_path / 'arm.so'))
    library.arm_create.restype = ctypes.c_void_p
    library.arm_parameter.restype = ctypes.c_double
    e = ctypes.c_void_p(library.arm_create())
    for row in readings:
        own.predict(DT)
        own.correct(row)
        assert library.arm_predict(e, ctypes.c_double(DT), None) == 0
        assert library.arm_correct(e, (ctypes.c_double * 1)(*row)) == 0
    estimate, deviation = own.estimate, ctypes.c_double()
    names = (ctypes.c_char_p * 3).in_dll(library, 'arm_parameter_names')
    assert [name and name.decode() for name in names] == [*estimate.parameters, None]
    for k, (name, value) in enumerate(estimate.parameters.items()):
        assert library.arm_parameter(e, k, ctypes.byref(deviation)) == value
        assert deviation.value == estimate.parameter_deviations[name]
    assert estimate.parameters['gravity.y'] != mechanism.gravity[1]
    library.arm_destroy(e)
