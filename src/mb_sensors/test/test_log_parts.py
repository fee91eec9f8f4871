"""Long logs are read some rows at a time: the same bag and the same words, in memory of its own."""

import tracemalloc

import numpy as np
import pytest

from mb_model.files import spilled
from mb_sensors.imported import log_parts, text_parts
from mb_sensors.imported.column_settings import ColumnsError
from mb_sensors.imported.table import LogError
from mb_sensors.nodes.import_recording import import_log

COLUMNS = """
mechanism: four_bar
time: {column: %s}
sensors:
  crank_encoder: {column: angle, unit: deg}
  crank_gyro: {column: rate, unit: deg/s}
"""
IN_SPACE = """
mechanism: excavator
time: {column: time, unit: s}
sensors:
  boom_accelerometer: [ax, ay, az]
"""
HEAD = 'time,angle,rate\n'


def rows(count, time='{:.2f}'):
    rng = np.random.default_rng(count)
    return ''.join(f'{time.format(0.01 * k)},{90 + rng.normal():.3f},{rng.normal():.4f}\n'
                   for k in range(count))


def imported(folder, log, columns, name):
    """Return (lines of text, or the error; bytes of the bag) of an import."""
    file, of = folder / 'log.csv', folder / 'columns.yaml'
    file.write_bytes(log.encode())
    of.write_text(columns)
    bag = folder / name / 'bag'
    try:
        lines = import_log(file, of, bag)
    except (LogError, ColumnsError) as error:
        return str(error), b''
    return lines[:-1], (bag / 'bag.mcap').read_bytes()


@pytest.mark.parametrize('log', [
    HEAD + rows(40), HEAD + rows(41).removesuffix('\n'), (HEAD + rows(40)).replace('\n', '\r\n'),
    HEAD + rows(40)[:-8],                                           # cut off
    '# rate 100 Hz\n' + HEAD + '# a comment\n' + rows(30) + '\n\n# another\n' + rows(0),
    HEAD + rows(20, '{:.3f}') + rows(40).split('\n', 20)[20],       # other digits
    HEAD + rows(20).replace(',9', ',,9').replace(',,', ',') + '0.50,,1.0\n0.60,nan,\n',
    HEAD + rows(20) + '0.05,1.0,1.0\n', HEAD + rows(20) + '0.5,x,1.0\n',
    HEAD + rows(20) + '0.5,1e999,1.0\n', HEAD + rows(20) + '0.5,1.0\n' + '0.6,1.0,1.0\n',
    HEAD + rows(20) + '"0.5",1.0,1.0\n', HEAD + '-1.0,1.0,1.0\n' + rows(20),
    HEAD + ''.join(f'{k * 10 ** 15},1.0,1.0\n' for k in range(1, 20)),
    HEAD + rows(30, '{:.2f}').replace('0.29,', '3e9,'), HEAD + '1.0,1.0,1.0\n',
    'time;angle;rate\n' + rows(30).replace(',', ';').replace('.', ','),
    HEAD + rows(20) + '0.5,\xfc,1.0\n', HEAD, ''], ids=lambda log: log[:9] + str(len(log)))
@pytest.mark.parametrize('time', ['time', 'time, unit: ms, start: 5.0'])
def test_all_that_is_read_by_parts_is_as_from_the_whole(log, time, tmp_path, monkeypatch):
    whole = imported(tmp_path, log, COLUMNS % time, 'whole')
    monkeypatch.setattr(log_parts, '_LONG', 0)
    monkeypatch.setattr(text_parts, '_ROWS', 7)
    assert imported(tmp_path, log, COLUMNS % time, 'parts') == whole


@pytest.mark.parametrize(('begin', 'again'), [(1, False), (2, True), (0, False), (30, True)])
def test_rows_of_zeros_count_as_in_the_whole(begin, again, tmp_path, monkeypatch):
    """The first ones where a device begins so, all of an accelerometer in space."""
    log = 'time,ax,ay,az\n' + ''.join(
        f'{0.01 * k:.2f},' + ('0,0,0\n' if k < begin or (again and k == 20) else '0.1,9.7,0.3\n')
        for k in range(30))
    whole = imported(tmp_path, log, IN_SPACE, 'whole')
    monkeypatch.setattr(log_parts, '_LONG', 0)
    monkeypatch.setattr(text_parts, '_ROWS', 7)
    assert imported(tmp_path, log, IN_SPACE, 'parts') == whole


@pytest.mark.whole
def test_memory_does_not_grow_with_the_length(tmp_path, monkeypatch):
    monkeypatch.setattr(log_parts, '_LONG', 0)
    monkeypatch.setattr(text_parts, '_ROWS', 1000)
    monkeypatch.setattr(spilled, '_BLOCK', 1000)
    (tmp_path / 'columns.yaml').write_text(COLUMNS % 'time')
    used = []
    for count in (1_000, 8_000, 16_000):        # the first one imports modules
        (tmp_path / 'log.csv').write_text(HEAD + rows(count))
        if count > 1_000:
            tracemalloc.start()
        lines = import_log(tmp_path / 'log.csv', tmp_path / 'columns.yaml',
                           tmp_path / str(count) / 'bag')
        used.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert f'/crank_gyro: {count}' in lines
    assert used[2] - used[1] < 60 * 8_000      # bytes; read at once, some 300 a row
