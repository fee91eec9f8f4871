"""Stamps of logs in seconds and nanoseconds, and of bags of other types: the two known faults."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pandas as pd
import pytest
from rosbags.rosbag2 import StoragePlugin
from test_log_bags import bag_of
from test_log_clocks import RefusedError, refused

from mb_sensors.imported.clock import stamps_of
from mb_sensors.imported.column_settings import TimeSettings
from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.imported.table import LogError, Table, read_tables
from mb_sensors.imported.text_form import TextSettings
from mb_sensors.nodes import import_recording

SECOND = 10 ** 9
WORD = 2 ** 32
FAULTS = {'wrapped': lambda t: (t // SECOND, t % WORD), 'stuck': lambda t: (5, t % SECOND),
          'none': lambda t: divmod(t, SECOND), 'other': lambda t: (t // SECOND, 3 * SECOND + t % 7)}
WORDS = {'wrapped': 'nanosec begins anew at 2^32, not at 1e9', 'stuck': 'sec does not advance',
         'other': 'nanosec is 1e9 or more'}
times = st.builds(
    lambda first, steps: first + np.cumsum([0, *steps]),
    st.integers(10 ** 18, 19 * 10 ** 17),
    st.lists(st.integers(6 * 10 ** 7, SECOND // 3), min_size=40, max_size=50))


def stamps(true, fault, arrivals=None, **given_settings):
    parts = [FAULTS[fault](int(t)) for t in true]
    frame = pd.DataFrame({
        'sec': [str(sec) for sec, _ in parts], 'nanosec': [str(nanosec) for _, nanosec in parts],
        'received_ns': list(true if arrivals is None else arrivals)}, dtype=object)
    table = Table('log.csv', frame, list(range(2, len(parts) + 2)), 'line')
    return stamps_of(table, TimeSettings(column='sec', nanoseconds='nanosec', **given_settings),
                     refused)


@settings(deadline=None)
@given(times, st.sampled_from(['refuse', 'repair']))
def test_sound_stamps_are_exact(true, policy):
    assert stamps(true, 'none', stamps=policy)[0].tolist() == true.tolist()


@settings(deadline=None)
@given(times, st.data())
def test_wrapped_nanoseconds_are_repaired_exactly(true, data):
    given_settings = data.draw(st.sampled_from([{}, {'received': 'received_ns'}]))
    found, remarks = stamps(true, 'wrapped', stamps='repair', **given_settings)
    assert found.tolist() == true.tolist()
    assert WORDS['wrapped'] in remarks[0]


@settings(deadline=None)
@given(times, st.booleans())
def test_seconds_that_never_advance_are_repaired(true, received):
    """Exactly but for the first second, which only the arrival has."""
    found, remarks = stamps(true, 'stuck', stamps='repair',
                            **({'received': 'received_ns'} if received else {}))
    expected = true if received else true - true[0] + 5 * SECOND + true[0] % SECOND
    assert found.tolist() == expected.tolist()
    assert WORDS['stuck'] in remarks[0]


@pytest.mark.parametrize('fault', ['wrapped', 'stuck', 'other'])
def test_faults_are_refused_by_name_with_what_mends_them(fault):
    true = 10 ** 18 + np.arange(500) * 10 ** 7
    with pytest.raises(LogError, match=r'log.csv: line \d+, column nanosec: \d+: its stamps are '
                       'malformed') as error:
        stamps(true, fault)
    assert WORDS[fault] in str(error.value)
    assert 'stamps: arrival replaces them' in str(error.value)
    assert ('stamps: repair' in str(error.value)) == (fault != 'other')


@pytest.mark.parametrize('fault', ['none', 'wrapped', 'stuck'])
def test_the_arrival_is_taken_without_its_jitter(fault):
    """As far as the stamps are of a clock, here one that is 7 s behind."""
    true = 10 ** 18 + np.arange(500) * 10 ** 7
    late = np.abs(np.random.default_rng(1).normal(0.0, 4e6, len(true))).astype(int)
    arrivals = np.maximum.accumulate(true + late)
    found, remarks = stamps(true - 7 * SECOND, fault, arrivals, stamps='arrival',
                            received='received_ns')
    assert (np.diff(found) > 0).all()
    after = slice(200, None)
    assert np.ptp((found - true)[after]) < 0.1 * np.ptp((arrivals - true)[after])
    assert 'replaced by received_ns, without its jitter' in remarks[0]


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4 * SECOND), st.integers(0, 2 * SECOND)), min_size=2))
def test_the_arrival_gives_stamps_that_increase_whatever_the_clock_shows(rows):
    arrivals = 10 ** 18 + np.cumsum([step for _, step in rows])
    found, _ = stamps([10 ** 18 + clock for clock, _ in rows], 'none', arrivals, stamps='arrival',
                      received='received_ns')
    assert (np.diff(found) > 0).all()


@pytest.mark.parametrize(('given_settings', 'words'), [
    ({'stamps': 'arrival'}, 'stamps: arrival: needs `received`'),
    ({'received': 'received_ns'}, 'received: only with stamps: repair or arrival'),
    ({'bits': 32}, 'bits: not beside nanoseconds')])
def test_settings_that_do_not_fit_are_refused(given_settings, words):
    with pytest.raises(RefusedError, match=words):
        stamps(10 ** 18 + np.arange(5) * 10 ** 7, 'none', **given_settings)


def test_a_time_in_one_column_that_goes_back_has_the_arrival():
    """Or is refused; how it would be repaired is not known."""
    table = Table('log.csv', pd.DataFrame({
        't': ['1.0', '1.1', '1.1', '0.5', '0.6'],
        'recv_ms': ['9000', '9101', '9201', '9300', '9402']}), [2, 3, 4, 5, 6])
    found, _ = stamps_of(table, TimeSettings(column='t', received='recv_ms', stamps='arrival'),
                         refused)
    assert np.abs(found - np.array([9000, 9101, 9201, 9300, 9402]) * 10 ** 6).max() < 5e6
    with pytest.raises(LogError, match=r'row 4, column t: 1.1 must be later than in row 3, .*'
                       'with a column `received`, `stamps: arrival` takes'):
        stamps_of(table, TimeSettings(column='t'), refused)
    with pytest.raises(RefusedError, match='stamps: repair: only of `nanoseconds`'):
        stamps_of(table, TimeSettings(column='t', stamps='repair'), refused)


def test_seconds_alone_name_the_column_of_nanoseconds():
    table = Table('log.csv', pd.DataFrame({'h.sec': ['1', '1'], 'h.nanosec': ['5', '7']}), [2, 3])
    with pytest.raises(LogError, match=r'have `nanoseconds: h\.nano'):
        stamps_of(table, TimeSettings(column='h.sec'), refused)


@pytest.mark.parametrize(('fault', 'entry'), [
    ('none', 'time: {column: sec, nanoseconds: nanosec}      # 400 rows, steps of 0.01 s'),
    ('wrapped', 'nanoseconds: nanosec, received: log_time_ns, stamps: repair}'),
    ('other', 'nanoseconds: nanosec, received: log_time_ns, stamps: arrival}')])
def test_what_mends_a_log_is_proposed(tmp_path, capsys, fault, entry):
    log = tmp_path / 'log.csv'
    true = [10 ** 18 + k * 10 ** 7 for k in range(400)]
    log.write_text('sec,nanosec,log_time_ns,angle\n' + ''.join(
        '{},{},{},0.5\n'.format(*FAULTS[fault](t), t) for t in true))
    assert import_recording.main([str(log)]) == 0
    text = capsys.readouterr().out
    assert entry in text
    assert 'mechanism: EDIT' in text


def test_stamps_of_bags_with_other_messages_are_refused_and_repaired(tmp_path, capsys):
    true = [5 * SECOND + k * 10 ** 7 for k in range(400)]
    bag = bag_of(tmp_path / 'bag', [('/leg', t, t, (0.1, 1.0, 2.0)) for t in true],
                 StoragePlugin.MCAP, FAULTS['wrapped'])
    with pytest.raises(LogError, match='/leg: its stamps are malformed: nanosec begins anew'):
        read_tables([bag], TextSettings())
    (tmp_path / 'columns.yaml').write_text(
        'mechanism: four_bar\ntime: {column: stamp_ns, stamps: repair}\n'
        'sensors: {crank_encoder: /leg.joint.angle}\n')
    log = read_log(bag, read_columns(tmp_path / 'columns.yaml'))
    assert log.stamps.tolist() == true
    assert any('400 were repaired' in one for one in log.remarks)
    assert import_recording.main([str(bag)]) == 0
    assert 'time: {column: stamp_ns, unit: ns, stamps: repair}' in capsys.readouterr().out
