"""Trigger lifecycle state transition."""
from ros2cli.lifecycle import available_transitions, change_state, managed_node
from ros2cli.parameters import add_node_arguments


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('transition', help='The lifecycle transition (label or id)')


def main(args):
    with managed_node(args) as (node, name):
        transitions = [item.transition for item in available_transitions(node, name)]
        for transition in transitions:
            if args.transition in (transition.label, str(transition.id)):
                done = change_state(node, name, transition)
                break
        else:
            known = '\n'.join(
                f'- {transition.label} [{transition.id}]' for transition in transitions
            )
            return f'Unknown transition requested, available ones are:\n{known}'
    if not done:
        return 'Transitioning failed'
    print('Transitioning successful')
    return None
