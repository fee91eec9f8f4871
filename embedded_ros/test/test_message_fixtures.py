"""The messages that tests take from test_msgs survive being sent."""
import pytest
from rclpy.serialization import deserialize_message, serialize_message
import test_msgs.message_fixtures
import test_msgs.msg

NAMES = ('Arrays', 'BasicTypes', 'BoundedPlainSequences', 'BoundedSequences', 'Builtins',
         'Constants', 'Defaults', 'Empty', 'MultiNested', 'Nested', 'Strings',
         'UnboundedSequences', 'WStrings')


@pytest.mark.parametrize('name', NAMES)
def test_every_message_comes_back_as_it_was(name):
    cls = getattr(test_msgs.msg, name)
    messages = test_msgs.message_fixtures.get_test_msg(name)
    assert messages[0] == cls()
    for message in messages:
        assert deserialize_message(serialize_message(message), cls) == message


def test_values_reach_the_limits_of_their_types():
    lowest, highest = test_msgs.message_fixtures.get_test_msg('BasicTypes')[1:3]
    assert (lowest.int64_value, highest.int64_value) == (-2 ** 63, 2 ** 63 - 1)
    assert highest.uint8_value == 255
