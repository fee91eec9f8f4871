"""Messages in C++, as the node in Python reads them: readings, known forces, rates.

ROS is not needed: its messages are stood for by structures with their fields.
"""

from math import inf, nan
from pathlib import Path
from random import Random
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

from mb_estimators import input_topic, make_filter
from mb_estimators.native.folder import export
from mb_model import load_mechanism
from mb_model.jit import Target
from mb_sensors import Sampler, by_topic, sensors_of

PACKAGE = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(not (shutil.which('cc') and shutil.which('c++')),
                                reason='no compilers of C and C++')
VECTOR = 'geometry_msgs::msg::Vector3'
STRUCTURES = {      # by header
    'geometry_msgs/msg/point_stamped':
        'struct Vector3 {double x, y, z;}; struct PointStamped {Vector3 point;};',
    'geometry_msgs/msg/twist_stamped':
        'struct Twist {Vector3 linear;}; struct TwistStamped {Twist twist;};',
    'sensor_msgs/msg/fluid_pressure': 'struct FluidPressure {double fluid_pressure;};',
    'sensor_msgs/msg/magnetic_field': f'struct MagneticField {{{VECTOR} magnetic_field;}};',
    'sensor_msgs/msg/range': 'struct Range {float range;};',
    'sensor_msgs/msg/joint_state':
        'struct JointState {std::vector<std::string> name; '
        'std::vector<double> position, velocity, effort;};',
    'sensor_msgs/msg/imu':
        'struct Turned {double x, y, z, w;}; struct Imu {Turned orientation; '
        f'{VECTOR} angular_velocity, linear_acceleration; std::array<double, 9> '
        'orientation_covariance, angular_velocity_covariance, linear_acceleration_covariance;};',
    'std_msgs/msg/float64_multi_array': 'struct Float64MultiArray {std::vector<double> data;};',
    'mb_interfaces/msg/valve_command':
        'struct ValveCommand {std::vector<std::string> valve; std::vector<double> command;};',
    'control_msgs/msg/dynamic_joint_state':
        'struct InterfaceValue {std::vector<std::string> interface_names; '
        'std::vector<double> values;}; struct DynamicJointState {'
        'std::vector<std::string> joint_names; std::vector<InterfaceValue> interface_values;};'}
HOST = r"""
#include <array>
#include <iostream>
#include <string>
#include <vector>
#define MB_REALTIME_HAS_CONTROL_MSGS
#include "mb_realtime/inputs.hpp"
#include "mb_realtime/readings.hpp"
#include "mb_realtime/sampler.hpp"

using namespace mb_realtime;

template<typename T> T next() {T one; std::cin >> one; return one;}
template<> double next() {return std::strtod(next<std::string>().c_str(), nullptr);}
template<typename T> std::vector<T> list()
{
  std::vector<T> all(next<int>());
  for (auto & one : all) {one = next<T>();}
  return all;
}
static sensor_msgs::msg::JointState joint_state()
{
  auto name = list<std::string>();
  auto position = list<double>(), velocity = list<double>();
  return {name, position, velocity, list<double>()};
}
template<typename Message>
void read(const Topic & topic, const Message & message, Readings & readings)
{
  readings.sensors.clear();
  take(topic, message, readings);
  for (const auto * sensor : readings.sensors) {
    std::cout << sensor->name << std::hexfloat;
    for (int i = 0; i < sensor->count; ++i) {
      std::cout << " " << readings.channels[sensor->first + i];
    }
    std::cout << " ";
  }
  std::cout << "\n";
}

int main(int, char ** arguments)
{
  const Plugin plugin(arguments[1]);
  const auto topics = topics_of(plugin.api());
  Readings readings(plugin.api());
  std::string what, name;
  while (std::cin >> what) {
    if (what == "sampler") {
      Sampler sampler(next<double>());
      for (const auto & stamp : list<std::string>()) {std::cout << sampler.due(std::stoll(stamp));}
      std::cout << "\n";
      continue;
    }
    if (what == "forces") {
      try {
        const auto topic = next<std::string>();
        const auto joints = list<std::string>(), commanded = list<std::string>();
        Inputs inputs(plugin.api(), topic, joints, commanded);
        const double * values = commanded.empty() ? inputs.of(joint_state()) :
          inputs.of(std_msgs::msg::Float64MultiArray{list<double>()});
        std::cout << std::hexfloat << values[0] << "\n";
      } catch (const std::invalid_argument & error) {
        std::cout << error.what() << "\n";
        std::cin.ignore(1000, '\n');
      }
      continue;
    }
    std::cin >> name;
    const auto & topic = *std::find_if(
      topics.begin(), topics.end(), [&](const Topic & one) {return one.name == name;});
    if (what == "joints") {
      read(topic, joint_state(), readings);
    } else if (what == "imu") {
      const auto numbers = list<double>();
      sensor_msgs::msg::Imu imu{};
      imu.orientation = {numbers[0], numbers[1], numbers[2], numbers[3]};
      imu.angular_velocity = {numbers[4], numbers[5], numbers[6]};
      imu.orientation_covariance[0] = numbers[7];
      imu.angular_velocity_covariance[0] = numbers[8];
      read(topic, imu, readings);
    } else if (what == "point") {
      const auto numbers = list<double>();
      read(topic, geometry_msgs::msg::PointStamped{{numbers[0], numbers[1], numbers[2]}}, readings);
    } else {
      control_msgs::msg::DynamicJointState message{list<std::string>(), {}};
      for (std::size_t k = 0; k < message.joint_names.size(); ++k) {
        auto names = list<std::string>();
        message.interface_values.push_back({names, list<double>()});
      }
      read(topic, message, readings);
    }
  }
}
"""
JOINTS = {'topic': 'joints', 'kind': 'angle_encoder', 'sigma': 1e-3}
MACHINE = load_mechanism('four_bar').replace(sensors={
    'crank': {**JOINTS, 'body': 'crank', 'joint_name': 'crank_joint'},
    'rocker': {**JOINTS, 'body': 'rocker'},
    'speed': {'topic': 'joints', 'kind': 'tachometer', 'coordinate': 'theta', 'sigma': 0.1,
              'joint_name': 'crank_joint'},
    'alone': {**JOINTS, 'topic': 'alone', 'body': 'crank'},
    'dynamic': {**JOINTS, 'topic': 'dynamic', 'body': 'crank', 'joint_name': 'crank_joint',
                'interface': 'position'},
    'gyro': {'kind': 'gyroscope', 'body': 'coupler', 'sigma': 0.1},
    'place': {'kind': 'position', 'point': {'body': 'coupler', 'at': [0.0, 0.0]}, 'sigma': 0.1,
              'axes': ['y']}})
SENSORS = sensors_of(MACHINE, ['crank', 'rocker', 'speed', 'alone', 'dynamic', 'gyro', 'place'])
TOPICS = by_topic(SENSORS)


@pytest.fixture(scope='module')
def said(tmp_path_factory):
    """Return a function lines -> what the host says of them."""
    folder = tmp_path_factory.mktemp('messages')
    for header, text in STRUCTURES.items():
        file, package = folder / f'{header}.hpp', header.partition('/')[0]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f'#pragma once\nnamespace {package}::msg {{{text}}}\n')
    export(make_filter('error_ekf_fe', MACHINE, SENSORS, 2e-3), 'error_ekf_fe', folder / 'arm',
           Target.here())
    subprocess.run(['cc', '-std=c11', '-O1', '-shared', '-fPIC', '-o', folder / 'arm.so',
                    *(folder / 'arm' / name for name in ('arm_plugin.c', 'arm.c', 'arm_kernels.o')),
                    '-lm'], check=True)
    (folder / 'host.cpp').write_text(HOST)
    subprocess.run(['c++', '-std=c++17', '-O1', '-Wall', '-Wextra', '-Wpedantic', '-Werror',
                    f'-I{PACKAGE / "include"}', f'-I{folder / "arm"}', f'-I{folder}', '-o',
                    folder / 'host', folder / 'host.cpp', '-ldl'], check=True)
    return lambda lines: subprocess.run(
        [folder / 'host', folder / 'arm.so'], input='\n'.join(lines), text=True,
        capture_output=True, check=True).stdout.splitlines()


def words(values):
    """Return a list as the host takes it."""
    return ' '.join([str(len(values)), *(
        one if isinstance(one, str) else float(one).hex() for one in values)])


def in_words(readings, topic):
    """Return readings as the host says them; none count as one that is not finite."""
    return {name: [float(one) for one in values] or len(next(
        one for one in topic.sensors if one.name == name).channels) * [nan]
        for name, values in readings}


def found(line):
    """Return {sensor: values} of what the host says."""
    values, name = {}, ''
    for word in line.split():
        if word in {one.name for one in SENSORS}:
            name, values[word] = word, []
        else:
            values[name].append(float.fromhex(word))
    return values


def assert_same(messages, lines, said, topic):
    for message, line in zip(messages, said(lines), strict=True):
        expected = in_words(TOPICS[topic].readings(message), TOPICS[topic])
        np.testing.assert_equal(found(line), expected, str(message))


@pytest.mark.parametrize('topic', ['joints', 'alone'])
def test_joint_states_are_read_as_by_the_node(said, topic):
    """Also without names, with others, lengths that do not fit, and NaN."""
    random, messages = Random(1), []
    for _ in range(300):
        names = random.sample(['crank_joint', 'rocker', 'alone', 'gripper'], random.randrange(5))
        fields = [[random.choice([random.gauss(), nan, inf]) for _ in range(random.choice(
            [0, len(names), len(names), 1, random.randrange(4)]))] for _ in range(3)]
        messages.append(SimpleNamespace(name=names, position=fields[0], velocity=fields[1],
                                        effort=fields[2]))
    assert_same(messages, [' '.join(['joints', topic, words(one.name), *map(words, (
        one.position, one.velocity, one.effort))]) for one in messages], said, topic)


def test_interfaces_of_joints_are_read_as_by_the_node(said):
    random, messages = Random(2), []
    for _ in range(200):
        joints = random.sample(['crank_joint', 'gripper'], random.randrange(3))
        values = []
        for _ in joints:
            names = random.sample(['position', 'effort'], random.randrange(3))
            values.append(SimpleNamespace(interface_names=names, values=[
                random.choice([random.gauss(), nan]) for _ in range(
                    random.choice([len(names), len(names), 1]))]))
        messages.append(SimpleNamespace(joint_names=joints, interface_values=values))
    assert_same(messages, [' '.join(['dynamic dynamic', words(one.joint_names), *(
        f'{words(each.interface_names)} {words(each.values)}' for each in one.interface_values)])
        for one in messages], said, 'dynamic')


def test_vectors_and_points_are_read_as_by_the_node(said):
    assert found(said([f'imu gyro {words([0, 0, 0, 1, 1.5, 2.5, 3.5, -1, 0.1])}'])[0]) == {
        'gyro': [3.5]}
    np.testing.assert_equal(found(said([
        f'imu gyro {words([0, 0, 0, 1, 1.5, 2.5, 3.5, -1, -1])}'])[0]), {'gyro': [nan]})
    assert found(said([f'point place {words([1.0, 2.0, 3.0])}'])[0]) == {'place': [2.0]}


@pytest.mark.parametrize('rate', [0.0, 7.0, 100.0, 250.0])
def test_what_is_due_at_a_rate_is_that_of_python(said, rate):
    random = Random(3)
    stamps = [1_700_000_000_000_000_000 + random.randrange(3_000_000_000) for _ in range(200)]
    stamps.sort()
    sampler = Sampler(rate)
    expected = ''.join(str(int(not rate or sampler.due(stamp) is not None)) for stamp in stamps)
    assert said([f'sampler {rate} {words(list(map(str, stamps)))}']) == [expected]


def test_known_forces_are_those_of_the_node(said):
    named = '3 crank_joint theta gripper 0 0 3 0x1p+0 0x1p+1 0x1p+2'
    by_degree = 'forces torques 0 0 1 theta 0 0 1 0x1p+1'
    by_joint = f'forces joint_states 1 crank_joint 0 {named}'
    commanded = 'forces commands 0 1 theta 1 0x1p+2'
    assert [float.fromhex(one) for one in said([by_degree, by_joint, commanded])] == [2.0, 1.0, 4.0]
    by_node = input_topic(MACHINE, False, 'torques')
    assert by_node.values(SimpleNamespace(name=['theta'], effort=[2.0])) == [2.0]
    for line, message in (
            (f'forces torques 0 0 {named}', 'expected one each of theta'),
            ('forces joint_states 1 crank_joint 0 0 0 0 0', 'no effort of crank_joint'),
            ('forces commands 0 1 theta 2 0x1p+0 0x1p+0', '2 numbers on commands'),
            ('forces commands 0 1 theta 1 nan', 'theta: nan must be finite'),
            ('forces commands 0 1 elbow 0', 'command_joints: elbow: expected each of theta'),
            ('forces commands 2 a b 0', 'force_joints: 2, expected one of each of theta')):
        assert message in said([line])[0]
