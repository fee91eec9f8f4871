"""Steps of an exported estimator in C++: the numbers of Python, nothing allocated, gaps, names."""

from pathlib import Path
import shutil
import subprocess

import numpy as np
import pytest

from mb_estimators import make_filter
from mb_estimators.commands.export import main
from mb_estimators.stream import EstimateStream, StreamSettings
from mb_model import load_mechanism
from mb_sensors import sensors_of

PACKAGE = Path(__file__).resolve().parents[1]
DT, SENSORS = 2e-3, ['crank_encoder', 'coupler_gyro']
HOST = r"""
#include <cstdio>
#include <cstdlib>
#include "mb_realtime/estimator.hpp"
#include "mb_realtime/wiring.hpp"

static long allocated = 0;
extern "C" void * __libc_malloc(size_t);
extern "C" void * malloc(size_t size) {++allocated; return __libc_malloc(size);}

static void complaint(const std::exception & error) {std::printf("%s\n", error.what());}

int main(int, char ** arguments)
{
  using namespace mb_realtime;
  if (arguments[2]) {
    try {Estimator{arguments[2]};} catch (const std::exception & error) {complaint(error);}
  }
  Estimator e(arguments[1]);
  const auto & api = e.api();
  std::printf("%s\n", joined(reading_interfaces(api, {})).c_str());
  try {reading_interfaces(api, {"a"});} catch (const std::exception & error) {complaint(error);}
  try {input_interfaces(api, {"a", "b"});} catch (const std::exception & error) {complaint(error);}
  try {places({"d"}, {"a", "b"});} catch (const std::exception & error) {complaint(error);}
  const Names names = reading_interfaces(api, {"crank/position", ""});
  const auto found = places(names, {"gripper/effort", "crank/position"});
  std::printf("%d %d %s\n", found[0], found[1], joined(each_once({"b", "", "a", "b"})).c_str());
  double period, force, y[2];
  while (std::scanf("%lf %lf %lf %lf", &period, &force, &y[0], &y[1]) == 4) {
    const long before = allocated;
    e.readings()[0] = y[0];
    e.readings()[1] = y[1];
    e.hold(0, force);
    e.step(period);
    const long after = allocated;
    std::printf("%a %a %a %a %a %d %d %ld\n", e.z()[0], e.zd()[0], e.zdd()[0], e.force()[0],
      e.deviation(1), static_cast<int>(e.status()), e.restarts(), after - before);
  }
}
"""
needs_compilers = pytest.mark.skipif(not (shutil.which('cc') and shutil.which('c++')),
                                     reason='no compilers of C and C++')


STREAM_HOST = r"""
#include <cmath>
#include <cstdio>
#include "mb_realtime/stream.hpp"

int main(int, char ** arguments)
{
  using namespace mb_realtime;
  Stream * own = nullptr;
  try {
    Stream(arguments[1], [](auto & settings, auto &) {settings.reorder_window = -1.0;}, {});
  } catch (const std::exception & error) {std::printf("%s\n", error.what());}
  Stream stream(arguments[1],
    [](auto & settings, auto &) {
      settings.history_length = 0.5;
      settings.reorder_window = 0.0;
    },
    [&own](std::int64_t stamp) {
      std::printf("%lld %a %a\n", static_cast<long long>(stamp),
        own->api().z(own->estimator())[0], own->api().zd(own->estimator())[0]);
    });
  own = &stream;
  const mb_estimator_sensor * first = stream.api().sensor_list;
  long long stamp;
  double y[2];
  while (std::scanf("%lld %lf %lf", &stamp, &y[0], &y[1]) == 3) {
    Sensors given;
    for (int k = 0; k < 2; ++k) {
      if (std::isfinite(y[k])) {
        given.push_back(first + k);
      }
    }
    stream.add(stamp, given, y);
  }
  std::printf("used %lld, end '%s'\n", static_cast<long long>(stream.counts().used),
    stream.end().c_str());
}
"""


def compiled(folder, text, *objects):
    """Return a program of C++ around the exported folder."""
    (folder / 'host.cpp').write_text(text)
    subprocess.run(['c++', '-std=c++17', '-O1', '-Wall', '-Wextra', '-Wpedantic', '-Werror',
                    f'-I{PACKAGE / "include"}', f'-I{folder / "arm"}', '-o', folder / 'host',
                    folder / 'host.cpp', *objects, '-ldl'], check=True)
    return folder / 'host'


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return a folder with an exported filter, `arm`, and its plugin."""
    folder = tmp_path_factory.mktemp('realtime')
    assert main(['four_bar', '--sensors', *SENSORS, '--dt', str(DT),
                 '--output', str(folder / 'arm')]) == 0
    subprocess.run(['cc', '-std=c11', '-O2', '-shared', '-fPIC', '-o', folder / 'arm.so',
                    *(folder / 'arm' / name for name in ('arm_plugin.c', 'arm.c', 'arm_kernels.o')),
                    '-lm'], check=True)
    return folder


@pytest.fixture(scope='module')
def host(folder):
    """Return a function lines -> what the host says of them, a first argument more is no plugin."""
    program = compiled(folder, HOST).rename(folder / 'steps')

    def said(rows, *others):
        lines = '\n'.join(' '.join(float(one).hex() for one in row) for row in rows)
        return subprocess.run([program, folder / 'arm.so', *others], input=lines,
                              text=True, capture_output=True, check=True).stdout.splitlines()
    return said


def numbers(lines):
    """Return the numbers (k, 8) of what the host says of steps."""
    return np.array([[float.fromhex(word) if 'x' in word else float(word)
                      for word in line.split()] for line in lines if '0x' in line])


def filter_of_python():
    """Return the filter that the host has."""
    mechanism = load_mechanism('four_bar')
    return make_filter('error_ekf_fe', mechanism, sensors_of(mechanism, SENSORS), DT)


def readings(rng, count):
    """Return readings (count, 2) about the start, some missing."""
    values = load_mechanism('four_bar').z0[0] + 0.01 * rng.normal(size=(count, 2))
    values[:, 1] = 0.1 * rng.normal(size=count)
    values[rng.random(values.shape) < 0.2] = np.nan
    return values


@needs_compilers
def test_steps_are_those_of_python_without_allocation(host):
    """Steps longer than the filter's are divided; an input that is not finite stays the last."""
    rng = np.random.default_rng(4)
    values, parts = readings(rng, 60), rng.integers(1, 4, size=60)
    forces = np.where(rng.random(60) < 0.3, np.nan, rng.normal(size=60))
    own, force, expected = filter_of_python(), 0.0, []
    for k in range(60):
        force = forces[k] if np.isfinite(forces[k]) else force
        for _ in range(parts[k] if k else 0):
            own.predict(parts[k] * DT / parts[k], np.array([force]))
        own.correct(values[k])
        e = own.estimate
        expected.append([e.z[0], e.zd[0], e.zdd[0], e.forces[0]])
    found = numbers(host(np.column_stack([parts * DT, forces, values])))
    np.testing.assert_array_equal(found[:, :4], expected)
    np.testing.assert_allclose(found[-1, 4], np.sqrt(own.estimate.covariance[1, 1]), rtol=1e-12)
    np.testing.assert_array_equal(found[:, 5:], np.zeros((60, 3)))


@needs_compilers
def test_a_long_gap_begins_anew_and_time_that_stands_still_predicts_nothing(host):
    rng = np.random.default_rng(5)
    first, second = readings(rng, 2)
    row = [DT, 0.0, *first]
    found = numbers(host([row, [0.0, 0.0, *second], [0.6, 0.0, *first], [DT, 0.0, *second]]))
    own = filter_of_python()
    own.correct(first)
    own.correct(second)
    assert found[1, 0] == own.estimate.z[0]
    own = filter_of_python()
    own.correct(first)
    own.predict(DT)
    own.correct(second)
    assert found[3, 0] == own.estimate.z[0]
    assert found[:, 6].tolist() == [0.0, 0.0, 1.0, 1.0]


@needs_compilers
def test_names_have_defaults_and_mistakes_say_what_was_expected(host, tmp_path):
    nothing, wired, *complaints, places = host([], tmp_path / 'nothing.so')
    assert 'nothing.so' in nothing
    assert wired == 'crank_encoder/position, coupler_gyro/angular_velocity.z'
    for text, words in zip(complaints, (
            'state_interfaces: 1 names, expected 2, of crank_encoder',
            'input_interfaces: 2 names, expected 1', 'd: not there, expected one of a, b'),
            strict=True):
        assert words in text
    assert places == '1 -1 b, a'


@needs_compilers
def test_a_stream_in_any_order_is_that_of_python(folder):
    """Of late readings, too, and with a sensor that says nothing."""
    subprocess.run(['cc', '-std=c11', '-O1', '-c', *(folder / 'arm').glob('mb_stream*.c')],
                   cwd=folder, check=True)
    program = compiled(folder, STREAM_HOST, *folder.glob('mb_stream*.o'))
    rng = np.random.default_rng(6)
    values = readings(rng, 80)
    values[:, 1] = np.nan
    stamps = 1_000_000_000 + 1_500_000 * (np.arange(80) + rng.integers(0, 6, size=80))
    lines = [f'{stamp} {float(a).hex()} {float(b).hex()}'
             for stamp, (a, b) in zip(stamps, values, strict=True)]
    wrong, *rows, last = subprocess.run(
        [program, folder / 'arm.so'], input='\n'.join(lines), text=True, capture_output=True,
        check=True).stdout.splitlines()
    mechanism = load_mechanism('four_bar')
    stream = EstimateStream(filter_of_python(), sensors_of(mechanism, SENSORS),
                            (mechanism.z0, mechanism.zd0),
                            StreamSettings(dt=DT, history_length=0.5, reorder_window=0.0))
    steps = [step for stamp, row in zip(stamps, values, strict=True)
             for step in stream.add_all(int(stamp), [
                 (name, [value]) for name, value in zip(SENSORS, row, strict=True)
                 if np.isfinite(value)])]
    assert [[float.fromhex(word) for word in row.split()[1:]] for row in rows] == [
        [step.estimate.z[0], step.estimate.zd[0]] for step in steps]
    assert [int(row.split()[0]) for row in rows] == [step.stamp for step in steps]
    assert len(steps) > 40
    assert last == f"used {stream.state.counts.used}, end ''"
    assert 'a setting is out of range' in wrong


@pytest.mark.skipif(not shutil.which('cmake') or not shutil.which('c++'), reason='no cmake')
def test_without_ros_nothing_is_built_and_a_line_says_so(tmp_path):
    done = subprocess.run(
        ['cmake', '-S', PACKAGE, '-B', tmp_path, '-DCMAKE_DISABLE_FIND_PACKAGE_ament_cmake=ON'],
        text=True, capture_output=True, check=True)
    assert 'mb_realtime is skipped: no ament_cmake' in done.stdout
