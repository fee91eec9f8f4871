"""What every Python of an environment with the wheels of ROS 2 finds set, unless it was set before.

Imported by a .pth file of the environment, before anything else.
"""
import os
from pathlib import Path
import sys

LOOPBACK = Path(__file__).resolve().parent / 'loopback.xml'
# Fast DDS 3, of Kilted, warns of the name that Fast DDS 2 knows.
PROFILES = ('FASTDDS_DEFAULT_PROFILES_FILE' if Path(sys.prefix, 'lib/libfastdds.so').exists()
            else 'FASTRTPS_DEFAULT_PROFILES_FILE')
RANGE = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
CONFINED = 'ROS_TOOLS_CONFINED'     # set where the three are ours


def complete(variables):
    """Set what is missing: where packages are, who is found, and what Fast DDS sends by.

    Without an environment of their own nodes stay on this machine, and its network does not reach
    them.  Then the range is left to our profile: for LOCALHOST rmw_fastrtps adds shared memory,
    which killed processes leave behind, and sockets of other devices.
    """
    prefixes = [*variables.get('AMENT_PREFIX_PATH', '').split(os.pathsep), sys.prefix]
    variables['AMENT_PREFIX_PATH'] = os.pathsep.join(dict.fromkeys(filter(None, prefixes)))
    variables.setdefault('FASTDDS_BUILTIN_TRANSPORTS', 'UDPv4')
    if variables.pop(CONFINED, None):           # by a parent of this process
        for name, value in ((RANGE, 'SYSTEM_DEFAULT'), (PROFILES, str(LOOPBACK))):
            if variables.get(name) == value:
                del variables[name]
    if (variables.get(RANGE, 'LOCALHOST') == 'LOCALHOST' and not variables.get('ROS_STATIC_PEERS')
            and not variables.get(PROFILES)):
        variables |= {RANGE: 'SYSTEM_DEFAULT', PROFILES: str(LOOPBACK), CONFINED: 'true'}
    else:
        variables.setdefault(RANGE, 'LOCALHOST')


complete(os.environ)
