"""One run at a time in a ROS domain: a launch that finds another one waits for its end.

Two runs in one domain receive each other's clock, readings and estimates, and record them.  Linux
keeps a name for each running launch, which is free again however that ends.  Elsewhere the
prototype alone looks for another run, when everything has started.
"""

from collections.abc import Callable
from functools import partial
import os
import socket
import sys
from typing import Any

from launch import LaunchContext
from launch.actions import LogInfo, OpaqueFunction, TimerAction

PERIOD = 0.5        # between two looks whether the other run is over [s]
SELDOM = 60         # looks between two lines on it
_held: list[socket.socket] = []     # until the process ends


def in_turn(start: Callable[[LaunchContext], Any], context: LaunchContext, looks: int = 0) -> Any:
    """Return what start(context) does once no other launch of this machine is in its domain."""
    domain = os.environ.get('ROS_DOMAIN_ID') or '0'
    if context.is_shutdown:
        return []
    if claim(domain):
        return start(context)
    again = partial(in_turn, start, looks=looks + 1)
    return [*([] if looks % SELDOM else [LogInfo(msg=_words(domain))]),
            TimerAction(period=PERIOD, actions=[OpaqueFunction(function=again)])]


def claim(domain: str) -> bool:
    """Claim a domain until this process ends; return whether it was free."""
    if sys.platform != 'linux':
        return True
    one = socket.socket(socket.AF_UNIX)
    try:
        one.bind(f'\0mb_bringup/run_in_domain_{domain}')
    except OSError:
        one.close()
        return False
    _held.append(one)
    return True


def _words(domain: str) -> str:
    other = '1' if domain == '0' else '0'
    return (f'waiting for the end of another run in ROS domain {domain} on this machine; '
            f'to run beside it: ROS_DOMAIN_ID={other} and the same command')
