"""What everything makes of a source of devices that one file has added."""

from driver_bench import STAMPS, expected_readings
import numpy as np
import pytest
from sensor_msgs.msg import JointState

from mb_model import SettingError, load_mechanism
from mb_ros.stamps import nanoseconds
from mb_sensors import SensorError, sensors_of
from mb_sensors.commands import sources
from mb_sensors.nodes.emulate import EmulateNode, EmulatorSettings
from mb_sensors.nodes.sensor_driver import DriverSettings, SensorDriver
from mb_sensors.sources import check_kinds, emulator_class, source_class


def test_settings_and_pages_describe_it(capsys):
    assert DriverSettings(source='tape').source == EmulatorSettings(device='tape').device == 'tape'
    with pytest.raises(SettingError, match=r'one of simulated, .*tape'):
        DriverSettings(source='tap')
    assert sources.main(['--markdown']) == 0
    listed = capsys.readouterr().out
    for text in ('| `tape` | A tape: ', '| `tape.pause` | 0.005 | s |', '| `<sensor>.tape.mark` |'):
        assert text in listed


def test_its_emulator_is_found_through_it():
    tape = source_class('tape')
    assert emulator_class('tape').Settings is tape.Settings


def test_it_says_what_it_reads():
    gyroscope = sensors_of(load_mechanism('four_bar'), 'crank_gyro')
    with pytest.raises(SensorError, match='source tape reads radial_speed or angle_encoder'):
        check_kinds('tape', source_class('tape'), gyroscope)


def test_a_driver_reads_what_its_emulator_measures(tmp_path, driver_bench):
    b = driver_bench(SensorDriver, [
        'device:=tape', 'source:=tape', 'sensors:=[crank_encoder]',
        f'tape.file:={tmp_path / "tape"}', 'crank_encoder.tape.mark:=crank',
        'acquisition.clock:=synchronised', 'use_sim_time:=true'],
        [(JointState, '/crank_encoder')], before=[EmulateNode])
    b.spin_until(lambda: b.node.count_publishers('/crank_encoder'))
    b.send()
    b.spin_until(len(STAMPS))
    assert [nanoseconds(message.header.stamp) for message in b.received] == STAMPS
    np.testing.assert_array_equal([message.position for message in b.received],
                                  expected_readings('crank_encoder'))
