"""The load in a tool from bags: as the node gives it, whatever comes first; refusals."""

from geometry_msgs.msg import WrenchStamped
from message_bags import read_messages, write_messages
from message_bench import MessageBench
import numpy as np
import pytest
from sensor_msgs.msg import FluidPressure, JointState
from test_weigh_bag import STATE, stamped, weighed
from test_weighing import CURLED, MACHINE, OPENED, carried
import yaml

from mb_contact import ToolSettings
from mb_contact.arguments import ContactError
from mb_contact.nodes.tool_scales import ToolScalesNode, ToolScalesSettings
from mb_contact.payload.payload_stream import Weighed
from mb_contact.weighing.tool_stream import ToolStream
from mb_interfaces.msg import MechanismState, PayloadEstimate
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.states import mechanism_state

GAUGES, STOP = ToolScalesSettings().pressures, ToolScalesSettings().stop
WRITTEN = {'/tool_scales/payload': PayloadEstimate, '/tool_scales/edge': WrenchStamped}
LOOKS, COUNT = 10, 90       # states to a look of the sensor of the stop, and at all
NOISE = (1e-9 * np.eye(3 * MACHINE.g)).ravel()


def messages(lacking=()):
    """Return [(topic, message)]: an opened tool, a load, an opened tool again, 100 states a second.

    lacking: numbers of instants without one of the pressures.
    """
    found, zero = [], np.zeros(MACHINE.g)
    for k in range(COUNT):
        when, curled = 1_000_000_000 + 10_000_000 * k, 30 <= k < 60
        z, zd, q, p = carried(500.0 if curled else 1.0, CURLED if curled else OPENED,
                              rate=0.1 if k // 15 % 2 else -0.1, boom=0.3 + 0.1 * (k % 4))
        found.append((STATE, mechanism_state(MACHINE, when, z=z, zd=zd, zdd=zero, q=q,
                                             covariance=NOISE)))
        found += [(f'/{name}', stamped(FluidPressure(fluid_pressure=float(one)), when))
                  for name, one in zip(GAUGES, p, strict=True)
                  if not (k in lacking and name == GAUGES[2])]
        if k % LOOKS == 0:
            found.append((f'/{STOP}', stamped(JointState(
                name=[STOP], position=[0.0 if curled else np.nan]), when)))
    return found


def bench():
    """Return an estimator and sensors, and who listens to the scales."""
    return MessageBench(
        {STATE: MechanismState, f'/{STOP}': JointState,
         **dict.fromkeys([f'/{name}' for name in GAUGES], FluidPressure)}, WRITTEN)


def test_the_bag_gets_what_the_node_publishes(tmp_path, capsys):
    sent = messages()
    write_messages(tmp_path / 'bag', sent)
    (tmp_path / 'parameters.yaml').write_text(yaml.safe_dump({
        'estimator': {'ros__parameters': {'mechanism': 'excavator_afloat'}},
        'tool_scales': {'ros__parameters': {'friction_uncertainty': 0.1}}}))
    code, text = weighed(capsys, tmp_path / 'bag', '--tool', '--output', tmp_path / 'out')
    assert code == 0
    assert 'load' in text
    assert f'{COUNT} instants, 0 without a partner' in text
    written = read_messages(tmp_path / 'out', WRITTEN)
    with on_bench(ToolScalesNode, bench, ['friction_uncertainty:=0.1']) as (_, around):
        around.publish(sent)
        spin_until(around, lambda: around.count >= len(written))
    assert len(around.received['/tool_scales/payload']) == COUNT
    for topic, published in around.received.items():
        assert [repr(message) for name, message in written if name == topic] == [
            repr(message) for message in published]


def streamed(sent):
    """Return what a ToolStream gives for messages, as text by stamp, and the stream."""
    stream, found = ToolStream(MACHINE, ToolSettings(), GAUGES, STOP, 20.0), {}
    numbers = {f'/{name}'.replace('//', '/'): k for k, (name, _) in enumerate(stream.topics)}
    for topic, message in sent:
        for one in stream.take(numbers[topic], message, pytest.fail):
            if isinstance(one, Weighed):
                found[one.stamp] = repr(one)
    return stream, found


@pytest.mark.parametrize('late', [STATE, f'/{STOP}', f'/{GAUGES[3]}'])
def test_it_does_not_matter_which_topic_is_late(late):
    _, expected = streamed(messages())
    stream, found = streamed([one for one in messages() if one[0] != late]
                             + [one for one in messages() if one[0] == late])
    assert stream.lost == 0
    assert found == expected


def test_an_instant_without_a_pressure_is_left_out():
    stream, found = streamed(messages(lacking=(40, 41)))
    assert stream.lost == 2
    assert len(found) == COUNT - 2
    lacking = {1_000_000_000 + 10_000_000 * k for k in (40, 41)}
    assert not lacking & found.keys()


def test_a_tool_is_weighed_by_pressures_alone(tmp_path, capsys):
    write_messages(tmp_path / 'bag', messages()[:50])
    asked = (tmp_path / 'bag', '--tool', '--mechanism', 'excavator_afloat')
    code, text = weighed(capsys, *asked, '--masses', 'load')
    assert code == 2
    assert '--masses: not with --tool' in text
    code, text = weighed(capsys, *asked, '--pressures', *GAUGES[:5])
    assert code == 2
    assert 'expected one on each of boom1, boom2' in text
    code, text = weighed(capsys, *asked)
    assert code == 1
    assert 'no load' in text
    with pytest.raises(ContactError, match='expected one on each of boom1'):
        ToolStream(MACHINE, ToolSettings(), GAUGES[1:], STOP, 20.0)
