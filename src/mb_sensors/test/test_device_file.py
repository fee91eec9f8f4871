"""What is reported of device files that cannot be opened."""

import errno
import grp
import os

import pytest

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.sources import SourceError
from mb_sensors.sources.bmi160 import Bmi160
from mb_sensors.sources.device_file import why_not
from mb_sensors.sources.serial_imu import SerialImu

GYRO, = sensors_of(load_mechanism('four_bar'), 'crank_gyro')


def opened(source, **settings):
    """Return the error of opening a source of one sensor."""
    made = source([GYRO], source.Settings(**settings), {'crank_gyro': source.SensorSettings()})
    with pytest.raises(SourceError) as complaint:
        made.open()
    made.close()
    return str(complaint.value)


@pytest.mark.parametrize(('source', 'key', 'place'), [
    (SerialImu, 'port', ''), (Bmi160, 'bus', ' 68h')])
def test_what_is_no_device_is_reported_once(tmp_path, source, key, place):
    missing, file = tmp_path / 'missing', tmp_path / 'file'
    file.write_text('')
    assert opened(source, **{key: str(missing)}).startswith(
        f'{missing}{place}: no such device; there are: ')
    assert f'{file}{place}: is no ' in opened(source, **{key: str(file)})


def test_devices_that_are_there_are_named(tmp_path):
    for name in ('tty1', 'tty0', 'other'):
        (tmp_path / name).write_text('')
    error = FileNotFoundError(errno.ENOENT, 'No such file or directory')
    assert why_not(str(tmp_path / 'tty7'), error, str(tmp_path / 'tty*')) == (
        f'no such device; there are: {tmp_path / "tty0"}, {tmp_path / "tty1"}')


def test_the_group_that_has_access_is_named(tmp_path):
    group = grp.getgrgid(os.stat(tmp_path).st_gid).gr_name
    complaint = why_not(str(tmp_path), PermissionError(errno.EACCES, 'Permission denied'), '')
    assert complaint == f'no permission; the user must be in the group {group}'
