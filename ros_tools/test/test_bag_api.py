"""rosbag2_py offers the methods that Jazzy's has and no more: what runs here must run there."""
import threading

import pytest
import rosbag2_py
from rosbag2_py.playback import Playback

WRITER = {'open', 'write', 'create_topic'}
READER = {'open', 'open_uri', 'close', 'has_next', 'read_next', 'seek', 'set_filter',
          'reset_filter', 'get_metadata', 'get_all_topics_and_types'}
METHODS = {
    'SequentialWriter': WRITER | {'close'},
    'SequentialCompressionWriter': WRITER,      # complete when it is deleted
    'SequentialReader': READER,
    'SequentialCompressionReader': READER,
    'MetadataIo': {'read_metadata', 'write_metadata', 'serialize_metadata'},
    'Info': {'read_metadata'},
    'Reindexer': {'reindex'},
    'Recorder': {'record', 'cancel'},
    'Player': {'play', 'cancel'},
}
COMPRESSION = rosbag2_py.CompressionOptions('zstd', rosbag2_py.CompressionMode.MESSAGE)
ARGUMENTS = {'SequentialCompressionWriter': (COMPRESSION,)}


@pytest.mark.parametrize('name', METHODS)
def test_methods_are_those_of_jazzy(name):
    one = getattr(rosbag2_py, name)(*ARGUMENTS.get(name, ()))
    assert {method for method in dir(one) if not method.startswith('_')} == METHODS[name]
    assert not hasattr(one, '__enter__')


def test_what_jazzy_wants_is_wanted(tmp_path):
    """Converter options and compression options have no defaults there."""
    options = rosbag2_py.StorageOptions(uri=str(tmp_path / 'bag'))
    with pytest.raises(TypeError):
        rosbag2_py.SequentialCompressionWriter()
    for one in rosbag2_py.SequentialWriter(), rosbag2_py.SequentialReader():
        with pytest.raises(TypeError):
            one.open(options)


@pytest.mark.parametrize(('rate', 'taken'), [
    (2.0, True), (1e-6, True), (1e6, True), (0.0, False), (-1.0, False), (float('nan'), False),
    (float('inf'), False), (1e300, False), (1e-300, False)])
def test_rates_are_finite(rate, taken):
    """Also by the service of a player; however slow, the next message is waited for."""
    playback = Playback(None, None, 0, 10 ** 18)
    assert playback.set_rate(rate) == taken
    assert playback.rate == (rate if taken else 1.0)
    assert playback._clock.seconds_until(2 ** 62) <= threading.TIMEOUT_MAX
