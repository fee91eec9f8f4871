"""Message classes, their encoding and hashes against rosbags' own, and against wrong input."""
import contextlib
import os
import pickle
import random
import struct
import subprocess
import sys
import textwrap

from embedded_ros.interfaces.derived import message_spec
from embedded_ros.interfaces.text import InterfaceTextError, parse_message, render_message
from hypothesis import given, strategies as st
import numpy
import pytest
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from embedded_ros import interfaces

STORE = get_typestore(Stores.ROS2_JAZZY)
# rosbags hashes char as a type of its own; in ROS 2 a .msg's char is a uint8.
WITH_CHAR = {'std_msgs/msg/Char', 'rmw_dds_common/msg/Gid', 'rmw_dds_common/msg/NodeEntitiesInfo',
             'rmw_dds_common/msg/ParticipantEntitiesInfo', 'service_msgs/msg/ServiceEventInfo'}
SCALARS = {
    'bool': lambda r: r.random() < 0.5, 'byte': lambda r: r.randrange(128),
    'float32': lambda r: float(numpy.float32(r.gauss(0, 1e3))), 'float64': lambda r: r.gauss(0, 1),
    'string': lambda r: ''.join(r.choice('abcä☃') for _ in range(r.randrange(7))),
}


def _scalar(kind, rng):
    if kind in SCALARS:
        return SCALARS[kind](rng)
    if kind == 'char':
        kind = 'uint8'
    info = numpy.iinfo(kind)
    return rng.randint(int(info.min), int(info.max))


def _random_value(field_type, rng):
    """A value for a message class of ours; byte as bytes."""
    def element():
        if field_type.is_message:
            return _random_message(field_type.element, rng)
        value = _scalar(field_type.element, rng)
        return bytes((value,)) if field_type.element == 'byte' else value

    if not field_type.container:
        return element()
    size = field_type.size if field_type.container == 'array' else rng.randrange(
        (field_type.size or 3) + 1)
    return [element() for _ in range(size)]


def _random_message(name, rng):
    fields = message_spec(name).fields
    return interfaces.get_interface(name)(
        **{field.attribute: _random_value(field.type, rng) for field in fields})


def _as_rosbags(message, name):
    """The same message as an object of rosbags' classes."""
    values = {}
    for field in message_spec(name).fields:
        value = getattr(message, field.attribute)
        kind = field.type
        if kind.is_message:
            value = [_as_rosbags(item, kind.element) for item in value] if kind.container \
                else _as_rosbags(value, kind.element)
        elif kind.container and kind.element != 'string':
            if kind.element == 'byte':
                value = numpy.frombuffer(b''.join(value), numpy.uint8)
            else:
                code = {'bool': numpy.bool_, 'char': numpy.uint8}.get(kind.element, kind.element)
                value = numpy.array(value, code)
        elif kind.element == 'byte':
            value = value[0]
        values[field.attribute] = value
    if not values:
        values['structure_needs_at_least_one_member'] = 0
    return STORE.types[name](**values)


@pytest.mark.parametrize('name', sorted(STORE.fielddefs))
def test_encoding_is_that_of_rosbags(name):
    """Random messages of every standard type: the same bytes as rosbags', in both byte orders."""
    rng, cls = random.Random(name), interfaces.get_interface(name)
    for _ in range(3):
        message = _random_message(name, rng)
        other = _as_rosbags(message, name)
        for _ in range(2):  # the second time some strings are known from the first
            assert interfaces.serialize(message) == bytes(STORE.serialize_cdr(other, name))
        for little_endian in (True, True, False, False):
            data = bytes(STORE.serialize_cdr(other, name, little_endian=little_endian))
            assert interfaces.deserialize(data, cls) == message


@pytest.fixture(scope='module')
def rows_of_numbers():
    """The name of a type with sequences of all kinds of numbers in a row, known to rosbags too."""
    names = [f'test_msgs/msg/{name}' for name in (
        'BasicTypes', 'Constants', 'Defaults', 'UnboundedSequences')]
    missing = [name for name in names if name not in STORE.fielddefs]
    STORE.register({key: value for name in missing for key, value in get_types_from_msg(
        render_message(message_spec(name)), name).items()})
    yield names[-1]
    for name in missing:
        del STORE.fielddefs[name]


@given(lengths=st.lists(st.lists(st.integers(0, 3), min_size=22, max_size=22), max_size=4),
       seed=st.integers(0, 99))
def test_lengths_known_from_before(rows_of_numbers, lengths, seed):
    """Sequences in a row as long as in the message before, or not, after strings of any length."""
    numbers, cls = random.Random(seed), interfaces.get_interface(rows_of_numbers)
    rows = [field for field in message_spec(rows_of_numbers).fields if field.type.is_numbers]
    for counts in [row for row in lengths for _ in range(2)]:
        message = cls(string_values=['s' * numbers.randrange(9)], **{
            field.attribute: [_scalar(field.type.element, numbers) for _ in range(count)]
            for field, count in zip(rows, counts, strict=True)})
        data = interfaces.serialize(message)
        other = _as_rosbags(message, rows_of_numbers)
        assert data == bytes(STORE.serialize_cdr(other, rows_of_numbers))
        assert interfaces.deserialize(data, cls) == message


@pytest.mark.parametrize('name', sorted(set(STORE.fielddefs) - WITH_CHAR))
def test_hash_is_that_of_rosbags(name):
    assert interfaces.type_hash(name) == STORE.hash_rihs01(name)


@pytest.mark.parametrize(('name', 'digits'), [
    ('rmw_dds_common/msg/ParticipantEntitiesInfo',  # as a ROS 2 Jazzy puts it on the wire
     '91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e'),
    ('example_interfaces/srv/AddTwoInts',  # from the design page of rmw_zenoh
     'e118de6bf5eeb66a2491b5bda11202e7b68f198d6f67922cf30364858239c81a'),
])
def test_hashes_seen_elsewhere(name, digits):
    assert interfaces.type_hash(name) == 'RIHS01_' + digits


def _all_messages():
    for package in interfaces.list_packages():
        for name in interfaces.list_interfaces(package):
            cls = interfaces.get_interface(name)
            parts = [getattr(cls, part) for part in (
                'Request', 'Response', 'Event', 'Goal', 'Result', 'Feedback')
                if hasattr(cls, part)]
            yield from parts or [cls]


def test_every_known_interface_works():
    """All messages, halves of services and parts of actions can be made, checked and sent."""
    count = 0
    for cls in _all_messages():
        message = cls(check_fields=True)
        assert interfaces.deserialize(interfaces.serialize(message), cls) == message
        assert len(cls.SLOT_TYPES) == len(cls.get_fields_and_field_types())
        assert repr(message).startswith(interfaces.interface_name(cls).replace('/', '.'))
        count += 1
    assert count > 300


def test_texts_render_and_parse():
    """A definition written as text reads back the same."""
    for name in (*STORE.fielddefs, 'test_msgs/msg/Strings', 'test_msgs/msg/Arrays'):
        spec = message_spec(name)
        assert parse_message(render_message(spec), name) == spec


@pytest.mark.parametrize(('text', 'complaint'), [
    ('int32 a\nflaot64 b', "unknown type 'flaot64' of 'b'"),
    ('int32 b c d', "default 'c d' of 'b' does not fit its type int32"),
    ('float64[2] b 1.0', "default 1.0 of 'b'"), ('int32', 'line 1'), ('int32 a[', 'line 1')])
def test_wrong_definition(text, complaint):
    """The message names interface, line and text."""
    with pytest.raises(InterfaceTextError, match='p/msg/M: ' + complaint):
        parse_message(text, 'p/msg/M')


@given(text=st.lists(st.sampled_from([
    'int32', 'float64', ' ', 'a', 'B', '=', '1', '"x"', '[', ']', '<=', '3', '#', '\n', 'p/', 'Q',
    '---', '.5', 'true', '\\']), max_size=15).map(''.join))
def test_any_definition_is_read_or_refused(text):
    """What is read renders to a text that reads back the same."""
    with contextlib.suppress(InterfaceTextError):
        spec = parse_message(text, 'p/msg/M')
        assert parse_message(render_message(spec), 'p/msg/M') == spec


def test_damaged_data_is_reported():
    """Whatever arrives, it is a message or a CDRError; what is whole is read as ever after it."""
    rng = random.Random(1)
    for name in ('sensor_msgs/msg/JointState', 'tf2_msgs/msg/TFMessage', 'sensor_msgs/msg/Imu',
                 'std_msgs/msg/ByteMultiArray', 'diagnostic_msgs/msg/DiagnosticArray'):
        cls = interfaces.get_interface(name)
        message = _random_message(name, rng)
        good = interfaces.serialize(message)
        for _ in range(300):
            data = bytearray(good[:rng.randrange(len(good) + 1)])
            for _ in range(rng.randrange(3)):
                if len(data) > 4:
                    data[rng.randrange(4, len(data))] = rng.randrange(256)
            with contextlib.suppress(interfaces.CDRError):
                assert isinstance(interfaces.deserialize(bytes(data), cls), cls)
            assert interfaces.deserialize(good, cls) == message


def test_damaged_text_is_read_with_replacements():
    """As rclpy does: a node must not end because a name is not UTF-8."""
    cls = interfaces.get_interface('std_msgs/msg/String')
    data = interfaces.serialize(cls(data='crank')).replace(b'rank', b'\xb2ank')
    assert interfaces.deserialize(data, cls).data == 'c\ufffdank'


def test_wide_strings():
    """A count of UTF-16 units, then 4 bytes for each, as rmw_cyclonedds writes them."""
    cls = interfaces.get_interface('example_interfaces/msg/WString')
    data = interfaces.serialize(cls(data='a\u00e4\U0001f600'))
    assert data == b'\0\1\0\0' + struct.pack('<5I', 4, 0x61, 0xe4, 0xd83d, 0xde00)
    assert interfaces.deserialize(data, cls).data == 'a\u00e4\U0001f600'
    swapped = b'\0\0\0\0' + struct.pack('>2I', 1, 0xe4)
    assert interfaces.deserialize(swapped, cls).data == '\u00e4'


def test_misfit_is_named():
    """The field that cannot be serialised is named, also deep inside."""
    message = interfaces.get_interface('tf2_msgs/msg/TFMessage')(
        transforms=[interfaces.get_interface('geometry_msgs/msg/TransformStamped')()])
    message.transforms[0].header.frame_id = 7
    with pytest.raises(TypeError, match=r'transforms\[0\].header.frame_id must be of type'):
        interfaces.serialize(message)


def test_names_that_do_not_exist():
    """The error says what is missing: package, or interface of the package."""
    for name, complaint in (('no_such/msg/A', "no package 'no_such'"),
                            ('std_msgs/msg/Strnig', "no msg 'Strnig'"),
                            ('std_srvs/srv/Nothing', "no srv 'Nothing'")):
        with pytest.raises(interfaces.UnknownInterfaceError, match=complaint):
            interfaces.get_interface(name)
    with pytest.raises(ValueError, match='no interface name'):
        interfaces.get_interface('String')
    with pytest.raises(ImportError):
        from std_msgs.msg import Strnig  # noqa: F401


def test_pickles_open_in_a_fresh_process():
    """The module that a pickle names is importable."""
    from geometry_msgs.msg import Point
    data = pickle.dumps(Point(x=2.0))
    code = f'import pickle; print(pickle.loads({data!r}).x)'
    assert subprocess.check_output([sys.executable, '-c', code], text=True) == '2.0\n'


PROGRAM = """
    from embedded_ros import interfaces
    cls = interfaces.get_interface('my_interfaces/msg/Thing')
    print(sorted(cls.get_fields_and_field_types().items()))
    print(interfaces.get_interface('my_interfaces/srv/Do').Request(), end='')
"""


def test_package_in_a_prefix(tmp_path):
    """share/<package> of AMENT_PREFIX_PATH counts, and an edited definition takes effect."""
    share = tmp_path / 'share/my_interfaces'
    for kind in ('msg', 'srv'):
        (share / kind).mkdir(parents=True)
    (share / 'srv/Do.srv').write_text('Thing[] things  # of this package\n---\n')

    def run(definition):
        (share / 'msg/Thing.msg').write_text(definition)
        return subprocess.check_output(
            [sys.executable, '-c', textwrap.dedent(PROGRAM)], text=True,
            env={**os.environ, 'AMENT_PREFIX_PATH': str(tmp_path),
                 'XDG_CACHE_HOME': str(tmp_path / 'cache')}).splitlines()

    request = 'my_interfaces.srv.Do_Request(things=[])'
    assert run('uint8 A=1\nfloat64 x 1.5\n') == ["[('x', 'double')]", request]
    assert run('string y "longer"\nHeader header\n') == [
        "[('header', 'std_msgs/Header'), ('y', 'string')]", request]


def test_missing_type_of_a_field(tmp_path):
    """A definition that needs an unknown package says which, also on import."""
    share = tmp_path / 'share/std_msgs/msg'
    share.mkdir(parents=True)
    (share / 'Needy.msg').write_text('no_such_package/Thing thing\n')
    done = subprocess.run(
        [sys.executable, '-c', 'from std_msgs.msg import Needy'], text=True, stderr=-1,
        env={**os.environ, 'AMENT_PREFIX_PATH': str(tmp_path)})
    assert "no package 'no_such_package' with msg interfaces is known" in done.stderr


def test_environments_keep_what_they_generate(tmp_path):
    """A start in one environment does not make the other generate its code again."""
    code = ('import sys; sys.prefix = sys.argv[1]; from std_msgs.msg import String; '
            'print("rosbags.typesys.stores.ros2_jazzy" in sys.modules)')

    def generated(environment):
        return subprocess.check_output(
            [sys.executable, '-c', code, environment], text=True,
            env={**os.environ, 'XDG_CACHE_HOME': str(tmp_path)})
    assert [generated(one) for one in ('/first', '/second', '/first', '/second')] == [
        'True\n', 'True\n', 'False\n', 'False\n']


def test_unwritable_cache_is_no_error(tmp_path):
    """Where nothing can be kept, code is generated anew."""
    (tmp_path / 'file').write_text('')
    code = 'from std_msgs.msg import String; print(String(data="a"))'
    output = subprocess.check_output(
        [sys.executable, '-c', code], text=True,
        env={**os.environ, 'XDG_CACHE_HOME': str(tmp_path / 'file')})
    assert output == "std_msgs.msg.String(data='a')\n"
