"""What nodes of one process hand one another without messages, through all their states."""

from itertools import count

from diagnostic_msgs.msg import DiagnosticArray
import pytest
from rclpy.node import Node

from mb_ros.diagnostics import OK, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_bench import spin_until, together_on_bench

TOPIC = 'offering/numbers'
SECOND = 1_000_000_000


class Offering(ManagedNode):
    """Offers a topic."""

    def __init__(self, **options):
        super().__init__('offering', **options)

    def configure(self):
        self.hand_over = self.offer('~/numbers')

    def health(self):
        return Health(OK, 'offering')


class Taking(ManagedNode):
    """Takes it, if a node offers it."""

    def __init__(self, **options):
        super().__init__('taking', **options)

    def configure(self):
        self.taken = []
        self.takes = self.take_offered(TOPIC, lambda *what: self.taken.append(what))

    def health(self):
        return Health(OK, 'taking')


class Refusing(Offering):
    """Finds after its offer that it cannot use what the user gave."""

    def configure(self):
        super().configure()
        raise ValueError('wrong')


class Bench(Node):
    """Reads the diagnostics of the taking node."""

    def __init__(self):
        super().__init__('bench')
        self.values = {}
        self.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 10)

    def _on_diagnostics(self, message):
        status, = message.status
        if status.name == '/taking':
            self.values = {item.key: item.value for item in status.values}


@pytest.fixture
def all_three():
    with together_on_bench([Offering, Taking], Bench) as (nodes, bench):
        yield *nodes, bench


@pytest.fixture
def pair(all_three):
    return all_three[:2]


def test_what_is_handed_over_is_taken_at_once_while_both_are_active(pair):
    offering, taking = pair
    offering.hand_over(SECOND, 'a', 1)
    taking.trigger_deactivate()
    offering.hand_over(2 * SECOND, 'b')
    taking.trigger_activate()
    offering.trigger_deactivate()
    offering.hand_over(3 * SECOND, 'c')
    offering.trigger_activate()
    offering.hand_over(4 * SECOND)
    assert taking.taken == [('a', 1), ()]


def test_diagnostics_count_it_as_messages(all_three):
    offering, taking, bench = all_three
    stamps = count(SECOND, SECOND // 100)
    spin_until(bench, lambda: offering.hand_over(next(stamps)) or bench.values.get(
        f'{TOPIC} rate [Hz]') == '100.0')
    taking.trigger_deactivate()
    offering.hand_over(next(stamps))
    spin_until(bench, lambda: bench.values.get(f'{TOPIC} ignored while paused') == '1')
    assert float(bench.values[f'{TOPIC} age [s]']) < 20.0


def test_either_may_be_configured_anew(pair):
    offering, taking = pair
    for node in (offering, taking):
        node.trigger_deactivate()
        node.trigger_cleanup()
        offering.hand_over(SECOND, 'nothing')
        node.trigger_configure()
        node.trigger_activate()
        offering.hand_over(SECOND, node.get_name())
    assert taking.taken == [('taking',)]
    offering.trigger_deactivate()
    offering.trigger_cleanup()
    offering.trigger_configure()
    offering.trigger_activate()
    offering.hand_over(SECOND, 'again')
    assert taking.taken == [('taking',), ('again',)]


@pytest.mark.parametrize('makers', [
    [Taking, Offering], [lambda: Offering(namespace='other'), Taking]])
def test_a_node_that_comes_first_or_takes_another_topic_learns_so(makers):
    with together_on_bench(makers, Bench) as (nodes, _):
        taking, = (node for node in nodes if isinstance(node, Taking))
        assert not taking.takes


def test_who_is_gone_offers_nothing(pair):
    offering, taking = pair
    offering.destroy_node()
    with pytest.raises(ValueError, match='wrong'):
        Refusing()
    taking.trigger_deactivate()
    taking.trigger_cleanup()
    taking.trigger_configure()
    assert not taking.takes
