"""All nodes in one process: no value inside a declared range ends one, and no message does."""

from contextlib import contextmanager, suppress
from inspect import signature
import math
import signal

from every_node import NODES
from hypothesis import HealthCheck, assume, given, settings, strategies as st
import pytest
from rcl_interfaces.msg import ParameterType
import rclpy
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message

LONGEST = 20            # of processor time that one example may take [s]
FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck))
INFO = {'source_timestamp': 1_000_000_000, 'received_timestamp': 1_000_000_001}
NUMBERS = ParameterType.PARAMETER_DOUBLE, ParameterType.PARAMETER_INTEGER


@pytest.fixture(scope='module')
def context():
    made = rclpy.Context()
    rclpy.init(context=made)
    yield made
    rclpy.shutdown(context=made)


@contextmanager
def in_time():
    """Fail what takes too long: a node that hangs is no better than one that dies."""
    def late(_signal, _frame):
        raise AssertionError(f'took more than {LONGEST} s')
    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def node_of(context, name, **values):
    """Give a node with values of parameters, None where it refuses them in words."""
    kind, parameters = NODES[name]
    node = None
    with suppress(ValueError):
        node = kind(context=context, parameter_overrides=[
            Parameter(key, value=value) for key, value in {**parameters, **values}.items()])
    try:
        yield node
    finally:
        if node is not None:
            node.destroy_node()


def ranges(node):
    """Return {name: (type, least, largest)} of the numbers among a node's parameters."""
    names = node.list_parameters([], 0).names
    found = {}
    for one in node.describe_parameters(names):
        if one.type in NUMBERS and not one.name.startswith('qos_overrides'):    # rclpy's own
            limits, = (*one.floating_point_range, *one.integer_range)
            found[one.name] = one.type, limits.from_value, limits.to_value
    return found


def number_in(kind, least, largest):
    """Return a strategy of numbers in a range, most of them near its ends or of any magnitude."""
    if kind == ParameterType.PARAMETER_INTEGER:
        return st.one_of(st.sampled_from([least, largest]), st.integers(least, largest))
    ends = [least, largest, math.nextafter(least, math.inf), math.nextafter(largest, -math.inf)]
    powers = st.floats(-30.0, 30.0).map(lambda power: 10.0 ** power)
    return st.one_of(
        st.sampled_from(ends), st.floats(least, largest),
        powers.filter(lambda value: least <= value <= largest))


def filled(draw, message):
    """Return a message with hostile values in all its fields."""
    for name, kind in message.get_fields_and_field_types().items():
        value = getattr(message, name)
        if hasattr(value, 'get_fields_and_field_types'):
            filled(draw, value)
        elif name in ('sec', 'nanosec'):
            setattr(message, name, draw(st.sampled_from(
                [0, 1, 2, 5, 2 ** 31 - 1] + ([-1, -2 ** 31] if name == 'sec' else [2 ** 32 - 1]))))
        elif isinstance(value, bool):
            setattr(message, name, draw(st.booleans()))
        elif isinstance(value, float):
            setattr(message, name, draw(REALS))
        elif isinstance(value, int):
            setattr(message, name, draw(st.sampled_from([0, 1, 3, 100])))
        elif isinstance(value, str):
            setattr(message, name, draw(WORDS))
        elif 'string' in kind:
            setattr(message, name, draw(st.lists(WORDS, max_size=4)))
        elif 'double' in kind or 'float' in kind:
            setattr(message, name, draw(st.lists(
                REALS, min_size=len(value), max_size=len(value) or 12)))
    return message


REALS = st.one_of(st.floats(-10.0, 10.0), st.sampled_from(
    [0.0, math.nan, math.inf, -math.inf, 1e300, -1e300, 5e-324, 1e-9]))
WORDS = st.sampled_from(['', 'theta', 'crank_encoder', 'four_bar', 'three_rrr', 'crane', 'drive1',
                         'drive2', 'drive3', 'platform', 'x', '\U0001f600', 'a' * 300])


def feed(draw, node, count=3):
    """Give hostile messages to the subscriptions of a node, and let its timers run."""
    for subscription in list(node.subscriptions):
        with_info = len(signature(subscription.callback).parameters) > 1
        for _ in range(count):
            message = filled(draw, subscription.msg_type())
            if subscription.raw:
                message = serialize_message(message)
            subscription.callback(*(message, INFO)[:1 + with_info])
    for timer in list(node.timers):
        timer.callback()


@pytest.mark.parametrize('name', NODES)
def test_all_numbers_have_ranges_and_all_parameters_values(name, context):
    """Without a value, others cannot be dumped or got with it."""
    with node_of(context, name) as node:
        assert node is not None
        assert all(math.isfinite(end) for _, *ends in ranges(node).values() for end in ends)
        names = node.list_parameters([], 0).names
        assert all(one.type_ != Parameter.Type.NOT_SET for one in node.get_parameters(names))


@pytest.mark.whole
@pytest.mark.fuzz
@pytest.mark.parametrize('name', NODES)
@settings(FUZZ, max_examples=max(10, settings.default.max_examples // 10))
@given(data=st.data())
def test_no_value_inside_its_range_ends_a_node(name, context, data):
    with node_of(context, name) as node:
        found = ranges(node)
    if not found:
        pytest.skip('no numbers among its parameters')
    chosen = data.draw(st.lists(st.sampled_from(sorted(found)), min_size=1, max_size=3,
                                unique=True))
    values = {one: data.draw(number_in(*found[one])) for one in chosen}
    with in_time(), node_of(context, name, **values) as node:
        if node is not None:
            feed(data.draw, node, 1)


@pytest.mark.whole
@pytest.mark.fuzz
@pytest.mark.parametrize('name', NODES)
@settings(FUZZ, max_examples=max(10, settings.default.max_examples // 5))
@given(data=st.data())
def test_no_message_ends_a_node(name, context, data):
    with in_time(), node_of(context, name) as node:
        feed(data.draw, node)


@pytest.mark.whole
@pytest.mark.fuzz
@pytest.mark.parametrize('name', NODES)
@settings(FUZZ, max_examples=max(10, settings.default.max_examples // 20))
@given(data=st.data())
def test_no_text_ends_a_node(name, context, data):
    """A refusal is a ValueError: main() says it in one line."""
    with node_of(context, name) as node:
        texts = [one.name for one in node.describe_parameters(node.list_parameters([], 0).names)
                 if one.type == ParameterType.PARAMETER_STRING
                 and one.name not in ('folder', 'checkpoint')]
    assume(texts)
    value = data.draw(st.one_of(st.text(max_size=8), st.sampled_from(
        ['~nosuchuser', '\0', '../..', '/dev/null', '/', 'a b', '//', 'x' * 5000, '{}', '*'])))
    with in_time(), node_of(context, name, **{data.draw(st.sampled_from(texts)): value}):
        pass
