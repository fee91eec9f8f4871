"""The options -m, -s, -a which choose kinds of interfaces."""
from embedded_ros.interfaces import list_interfaces, list_packages

HEADINGS = {'msg': 'Messages', 'srv': 'Services', 'action': 'Actions'}


def add_kind_options(parser, what):
    """Add --only-msgs, --only-srvs, --only-actions."""
    group = parser.add_mutually_exclusive_group()
    for kind, noun in (('msg', 'messages'), ('srv', 'services'), ('action', 'actions')):
        group.add_argument(
            f'-{kind[0]}',
            f'--only-{kind}s',
            dest='kind',
            action='store_const',
            const=kind,
            help=f'Print out only {what.format(noun)}',
        )


def interfaces_by_kind(package=None):
    """{'msg': names, 'srv': names, 'action': names} of one package, or sorted of all of them."""
    packages = [package] if package else sorted(list_packages())
    found = {kind: [] for kind in HEADINGS}
    for name in packages:
        for interface in sorted(list_interfaces(name)):
            found[interface.split('/')[-2]].append(
                interface if interface.count('/') == 2 else f'{name}/{interface}')
    return found
