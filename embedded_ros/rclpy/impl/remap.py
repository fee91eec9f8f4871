"""Remap rules: `-r [node:]from:=to`, `-r __node:=name`, `-r __ns:=/namespace`."""
from collections import namedtuple
import re

from rclpy.impl import names

_TOKEN = r'(?:[A-Za-z_]|\{\w+\})(?:\w|\{\w+\})*'  # each character in one way only
_NAME = rf'(?:~|(?:~/|/)?{_TOKEN}(?:/{_TOKEN})*)'
_RULE = re.compile(
    rf'(?:(?P<node>[A-Za-z_]\w*):)?'
    rf'(?P<kind>rostopic://|rosservice://|)(?P<match>__node|__name|__ns|{_NAME}):='
    rf'(?P<to>.+)', re.ASCII)


class RemapRule(namedtuple('RemapRule', 'node kind match to')):
    """node: the node it is for ('' all); kind: 'topic', 'service', 'both', 'node', 'namespace'."""


class RemapError(ValueError):
    """The text is no remap rule."""


def parse_rule(text):
    """Read a rule; RemapError says what is wrong with it."""
    found = _RULE.fullmatch(text)
    if not found:
        raise RemapError('expected from:=to, __node:=name or __ns:=/namespace')
    node, match, to = found['node'] or '', found['match'], found['to']
    if match in ('__node', '__name'):
        fault, kind = names.node_name_fault(to), 'node'
    elif match == '__ns':
        fault, kind = names.namespace_fault(to), 'namespace'
    else:
        fault = None if re.fullmatch(_NAME, to, re.ASCII) else (f"'{to}' is no name",)
        kind = {'rostopic://': 'topic', 'rosservice://': 'service', '': 'both'}[found['kind']]
    if fault:
        raise RemapError(fault[0])
    return RemapRule(node, kind, match, to)


def find_replacement(rules, kind, node_name):
    """Give `to` of the first rule of a kind ('node', 'namespace') that is for this node."""
    for rule in rules:
        if rule.kind == kind and rule.node in ('', node_name):
            return rule.to
    return None


def remap_name(rules, kind, full_name, node_name, namespace):
    """Remap the absolute name of a topic or service; the first rule that matches counts."""
    for rule in rules:
        if rule.kind in (kind, 'both') and rule.node in ('', node_name) and (
                names.expand(rule.match, node_name, namespace) == full_name):
            return names.expand(rule.to, node_name, namespace)
    return full_name
