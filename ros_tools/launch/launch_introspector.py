"""A launch description as a tree of text."""

from .launch_description_entity import LaunchDescriptionEntity


def branch(lines: list[str], last: bool) -> list[str]:
    """Hang a block of lines below its parent."""
    first, rest = ('└── ', '    ') if last else ('├── ', '│   ')
    return [(rest if number else first) + line for number, line in enumerate(lines)]


def tree(entity: LaunchDescriptionEntity) -> list[str]:
    """Return the lines of an entity and of all below it."""
    children = [tree(child) for child in entity.describe_sub_entities()]
    for text, entities in entity.describe_conditional_sub_entities():
        below = [tree(child) for child in entities]
        children.append([f'/ {text}', *hang(below)])
    condition = getattr(entity, 'condition', None)
    head = entity.describe() + (f' [{condition.describe()}]' if condition is not None else '')
    return head.splitlines() + hang(children)


def hang(blocks: list[list[str]]) -> list[str]:
    """Hang several blocks below one parent."""
    return [line for number, block in enumerate(blocks)
            for line in branch(block, number == len(blocks) - 1)]


class LaunchIntrospector:
    """Shows launch descriptions without running them."""

    def format_launch_description(self, launch_description) -> str:
        """Return the description as lines of text."""
        return '\n'.join(tree(launch_description))
