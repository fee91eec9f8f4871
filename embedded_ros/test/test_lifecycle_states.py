"""The states of managed nodes, as seen from outside."""
from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn


def test_the_state_machine_reports_and_takes_transitions(ros):
    node = LifecycleNode('managed')
    machine = node._state_machine
    assert machine.initialized
    assert (1, 'unconfigured') in machine.available_states
    assert [label for _, label, *_ in machine.available_transitions] == ['configure', 'shutdown']
    assert set(machine.available_transitions) < set(machine.transition_graph)
    machine.trigger_transition_by_id(machine.get_transition_by_label('configure'), True)
    assert machine.current_state == (10, 'configuring')
    machine.trigger_transition_by_label('transition_success', False)
    assert machine.current_state == (2, 'inactive')
    node.destroy_node()


def test_shutting_down_once_more_does_nothing(ros):
    node = LifecycleNode('managed', enable_communication_interface=False)
    assert node.trigger_shutdown() == TransitionCallbackReturn.SUCCESS
    assert node.trigger_shutdown() is None
    assert node._state_machine.current_state == (4, 'finalized')
    node.destroy_node()
