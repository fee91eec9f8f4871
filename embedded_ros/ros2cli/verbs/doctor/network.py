"""Interfaces of this machine, and whether nodes can find each other over them."""
import socket

import psutil

from ros2cli.verbs.doctor.finding import Finding, Section

FAMILIES = {socket.AF_INET: 'inet4', socket.AF_INET6: 'inet6', psutil.AF_LINK: 'ether'}


def examine(node):
    """Return the Finding."""
    section = Section('NETWORK CONFIGURATION')
    states = psutil.net_if_stats()
    flags = {}
    for device, addresses in psutil.net_if_addrs().items():
        of_family = {name: [] for name in FAMILIES.values()}
        for one in addresses:
            if one.family in FAMILIES:
                of_family[FAMILIES[one.family]].append(one.address)
        state = states.get(device)
        flags[device] = state.flags.split(',') if state else []
        section.add(*((name, ', '.join(found)) for name, found in of_family.items() if found),
                    ('device', device), ('flags', f'<{",".join(flags[device]).upper()}>'),
                    ('mtu', state.mtu if state else 'unknown'))
    return Finding([section], warnings=strange(flags))


def strange(flags):
    """Return warnings for the flags of each device."""
    warnings = []
    loopback = [device for device, words in flags.items() if 'loopback' in words]
    if not loopback:
        warnings.append('No loopback IP address is found.')
    if len(loopback) == len(flags):
        warnings.append('Only loopback IP address is found.')
    if not any('multicast' in words for words in flags.values()):
        warnings.append('No multicast IP address is found.')
    return warnings
