"""`ros2 run mb_sensors sources`: every device and every setting is listed."""

import pytest

from mb_sensors.commands.sources import main
from mb_sensors.sources import available_sources, source_class


@pytest.mark.parametrize('options', [[], ['--markdown']])
def test_every_source_is_listed(capsys, options):
    assert main(options) == 0
    text = capsys.readouterr().out
    assert {'analog', 'bmi160', 'can', 'serial_imu'} <= set(available_sources())
    assert all(name in text for name in available_sources())
    assert 'acquisition.clock' in text


@pytest.mark.parametrize('name', available_sources())
def test_every_setting_of_a_source_is_reported(capsys, name):
    assert main([name, '--markdown']) == 0
    text = capsys.readouterr().out
    source = source_class(name)
    for key, _, description in source.Settings.describe():
        assert f'| `{name}.{key}` |' in text
        assert description.help in text
    for key, _, _ in source.SensorSettings.describe():
        assert f'| `<sensor>.{name}.{key}` |' in text


def test_an_unknown_source_is_reported(capsys):
    assert main(['profibus']) == 2
    assert 'profibus: unknown source, expected one of analog' in capsys.readouterr().err
