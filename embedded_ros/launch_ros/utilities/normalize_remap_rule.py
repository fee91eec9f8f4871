"""Remappings as tuples of substitutions."""
from launch.utilities import ensure_argument_type, normalize_to_list_of_substitutions


def normalize_remap_rule(remap_rule):
    """Return (from, to) as tuples of substitutions."""
    ensure_argument_type(remap_rule, (tuple,), 'remap_rule')
    if len(remap_rule) != 2:
        raise TypeError(f'remap_rule must be a tuple of length 2, got length {len(remap_rule)}')
    source, target = remap_rule
    return (tuple(normalize_to_list_of_substitutions(source)),
            tuple(normalize_to_list_of_substitutions(target)))


def normalize_remap_rules(remap_rules):
    """Yield each rule as normalize_remap_rule() gives it."""
    yield from map(normalize_remap_rule, remap_rules)
