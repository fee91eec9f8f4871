"""Get lifecycle state for one or more nodes."""
from ros2cli.lifecycle import get_state, lifecycle_nodes, managed_node
from ros2cli.node.strategy import NodeStrategy
from ros2cli.parameters import add_node_arguments


def add_arguments(parser):
    add_node_arguments(parser, optional=True)


def main(args):
    if args.node_name:
        with managed_node(args) as (node, name):
            state = get_state(node, name)
        print(f'{state.label} [{state.id}]')
        return
    with NodeStrategy(args) as strategy:
        for name in lifecycle_nodes(strategy, args.include_hidden_nodes):
            state = get_state(strategy.node, name)
            print(f'{name}: {state.label} [{state.id}]')
