"""What nodes of one process tell one another without messages, through all their states."""

from itertools import count

from diagnostic_msgs.msg import DiagnosticArray
import pytest
from rclpy.node import Node

from mb_ros.diagnostics import OK, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_bench import spin_until, together_on_bench
from mb_ros.own_domain import own_domain

TOPIC = 'teller/numbers'
SECOND = 1_000_000_000


class Teller(ManagedNode):
    """Offers a topic."""

    def __init__(self, **options):
        super().__init__('teller', **options)

    def configure(self):
        self.tell = self.offer('~/numbers')

    def health(self):
        return Health(OK, 'telling')


class Hearer(ManagedNode):
    """Hears it, if somebody offers it."""

    def __init__(self, **options):
        super().__init__('hearer', **options)

    def configure(self):
        self.heard = []
        self.hears = self.hear(TOPIC, lambda *what: self.heard.append(what))

    def health(self):
        return Health(OK, 'hearing')


class Refusing(Teller):
    """Finds after its offer that it cannot use what the user gave."""

    def configure(self):
        super().configure()
        raise ValueError('wrong')


class Bench(Node):
    """Hears what the hearer says of itself."""

    def __init__(self):
        super().__init__('bench')
        self.values = {}
        self.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 10)

    def _on_diagnostics(self, message):
        status, = message.status
        if status.name == '/hearer':
            self.values = {item.key: item.value for item in status.values}


@pytest.fixture(autouse=True)
def domain(monkeypatch):
    monkeypatch.setenv('ROS_DOMAIN_ID', str(own_domain()))


@pytest.fixture
def all_three():
    with together_on_bench([Teller, Hearer], Bench) as (nodes, bench):
        yield *nodes, bench


@pytest.fixture
def pair(all_three):
    return all_three[:2]


def test_what_is_told_is_heard_at_once_while_both_are_active(pair):
    teller, hearer = pair
    teller.tell(SECOND, 'a', 1)
    hearer.trigger_deactivate()
    teller.tell(2 * SECOND, 'b')
    hearer.trigger_activate()
    teller.trigger_deactivate()
    teller.tell(3 * SECOND, 'c')
    teller.trigger_activate()
    teller.tell(4 * SECOND)
    assert hearer.heard == [('a', 1), ()]


def test_diagnostics_tell_of_it_as_of_messages(all_three):
    teller, hearer, bench = all_three
    stamps = count(SECOND, SECOND // 100)
    spin_until(bench, lambda: teller.tell(next(stamps)) or bench.values.get(
        f'{TOPIC} rate [Hz]') == '100.0')
    hearer.trigger_deactivate()
    teller.tell(next(stamps))
    spin_until(bench, lambda: bench.values.get(f'{TOPIC} ignored while paused') == '1')
    assert float(bench.values[f'{TOPIC} age [s]']) < 20.0


def test_either_may_be_configured_anew(pair):
    teller, hearer = pair
    for node in (teller, hearer):
        node.trigger_deactivate()
        node.trigger_cleanup()
        teller.tell(SECOND, 'nothing')
        node.trigger_configure()
        node.trigger_activate()
        teller.tell(SECOND, node.get_name())
    assert hearer.heard == [('hearer',)]
    teller.trigger_deactivate()
    teller.trigger_cleanup()
    teller.trigger_configure()
    teller.trigger_activate()
    teller.tell(SECOND, 'again')
    assert hearer.heard == [('hearer',), ('again',)]


@pytest.mark.parametrize('makers', [
    [Hearer, Teller], [lambda: Teller(namespace='other'), Hearer]])
def test_who_comes_first_or_hears_another_topic_is_told_so(makers):
    with together_on_bench(makers, Bench) as (nodes, _):
        hearer, = (node for node in nodes if isinstance(node, Hearer))
        assert not hearer.hears


def test_who_is_gone_offers_nothing(pair):
    teller, hearer = pair
    teller.destroy_node()
    with pytest.raises(ValueError, match='wrong'):
        Refusing()
    hearer.trigger_deactivate()
    hearer.trigger_cleanup()
    hearer.trigger_configure()
    assert not hearer.hears
