"""Output a list of available transitions."""
from ros2cli.lifecycle import available_transitions, managed_node
from ros2cli.parameters import add_node_arguments


def add_arguments(parser):
    add_node_arguments(parser)


def main(args):
    with managed_node(args) as (node, name):
        for item in available_transitions(node, name):
            print(f'- {item.transition.label} [{item.transition.id}]\n'
                  f'\tStart: {item.start_state.label}\n\tGoal: {item.goal_state.label}')
