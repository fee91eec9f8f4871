"""Rules for the names of nodes, namespaces and topics.

Each check gives None for a good name, else (what is wrong, index of the first wrong character).
"""
import re

LONGEST_NODE_NAME = 255
LONGEST_NAMESPACE = 245
LONGEST_TOPIC_NAME = 247


def node_name_fault(name):
    if not name:
        return 'node name must not be empty', 0
    bad = re.search('[^A-Za-z0-9_]', name)
    if bad:
        return ("node name must not contain characters other than alphanumerics or '_'",
                bad.start())
    if name[0].isdigit():
        return 'node name must not start with a number', 0
    if len(name) > LONGEST_NODE_NAME:
        return (f"node name length should not exceed '{LONGEST_NODE_NAME}'", LONGEST_NODE_NAME - 1)
    return None


def full_name_fault(name, what, longest=LONGEST_TOPIC_NAME):
    """Check an absolute name, of a topic or service; what is 'topic name', 'namespace'..."""
    if not name:
        return f'{what} must not be empty', 0
    if name[0] != '/':
        return f"{what} must be absolute, it must lead with a '/'", 0
    if name.endswith('/') and (len(name) > 1 or what != 'namespace'):
        return f"{what} must not end with a '/'", len(name) - 1
    bad = re.search('[^A-Za-z0-9_/]', name)
    if bad:
        return (f"{what} must not contain characters other than alphanumerics, '_', or '/'",
                bad.start())
    if '//' in name:
        return f"{what} must not contain repeated '/'", name.index('//') + 1
    number = re.search('/[0-9]', name)
    if number:
        return f'{what} must not have a token that starts with a number', number.start() + 1
    if len(name) > longest:
        return f"{what} length should not exceed '{longest}'", longest - 1
    return None


def namespace_fault(name):
    return full_name_fault(name, 'namespace', LONGEST_NAMESPACE)


def topic_name_fault(name):
    """Check a topic name as programs give it: relative or private, with substitutions."""
    if not name:
        return 'topic name must not be empty string', 0
    if name[0].isdigit():
        return 'topic name token must not start with a number', 0
    if name.endswith('/'):
        return 'topic name must not end with a forward slash', len(name) - 1
    bad = re.search(r'[^A-Za-z0-9_/~{}]', name)
    if bad:
        return ("topic name must not contain characters other than alphanumerics, '_', '~', "
                "'{', or '}'", bad.start())
    number = re.search(r'/[0-9]', name)
    if number:
        return 'topic name token must not start with a number', number.start() + 1
    return _tilde_fault(name) or _braces_fault(name)


def _tilde_fault(name):
    tilde = name.find('~', 1)
    if tilde > 0:
        return "topic name must not have tilde '~' unless it is the first character", tilde
    if name[0] == '~' and len(name) > 1 and name[1] != '/':
        return "topic name must not have a tilde not followed by a forward slash '/'", 1
    return None


def _braces_fault(name):
    inside = None
    for index, character in enumerate(name):
        if character == '{':
            if inside is not None:
                return 'topic name must not have nested curly braces', index
            inside = index
        elif character == '}':
            if inside is None:
                return "topic name must not have unbalanced curly braces '{}'", index
            if name[inside + 1:inside + 2].isdigit():
                return 'substitution name must not start with a number', inside + 1
            inside = None
        elif inside is not None and character in '/~':
            return ("substitution name must not contain characters other than alphanumerics or "
                    "'_'", index)
    if inside is not None:
        return "topic name must not have unbalanced curly braces '{}'", inside
    return None


def expand(topic_name, node_name, namespace):
    """Give the absolute form of a topic or service name; ValueError where that is impossible."""
    for what, fault in (('topic name', topic_name_fault(topic_name)),
                        ('node name', node_name_fault(node_name)),
                        ('node namespace', namespace_fault(namespace))):
        if fault:
            raise ValueError(f'{what} is invalid: {fault[0]}')
    prefix = '' if namespace == '/' else namespace
    if topic_name[0] == '~':
        topic_name = f'{prefix}/{node_name}{topic_name[1:]}'
    known = {'node': node_name, 'ns': namespace, 'namespace': namespace}

    def substitute(match):
        if match[1] not in known:
            raise ValueError(f"unknown substitution '{match[0]}' in topic name '{topic_name}'")
        return known[match[1]]

    expanded = re.sub(r'\{(\w*)\}', substitute, topic_name)
    return expanded if expanded[0] == '/' else f'{prefix}/{expanded}'
