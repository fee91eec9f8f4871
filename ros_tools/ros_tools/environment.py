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


def complete(variables):
    """Set what is missing: where packages are, who is found, and what Fast DDS sends by.

    Without an environment of their own nodes stay on this machine, and its network does not reach
    them.  They use no shared memory, which killed processes leave behind.
    """
    prefixes = [*variables.get('AMENT_PREFIX_PATH', '').split(os.pathsep), sys.prefix]
    variables['AMENT_PREFIX_PATH'] = os.pathsep.join(dict.fromkeys(filter(None, prefixes)))
    variables.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    variables.setdefault('FASTDDS_BUILTIN_TRANSPORTS', 'UDPv4')
    confined = (variables['ROS_AUTOMATIC_DISCOVERY_RANGE'] == 'LOCALHOST'
                and not variables.get('ROS_STATIC_PEERS'))
    if confined:
        variables.setdefault(PROFILES, str(LOOPBACK))
    elif variables.get(PROFILES) == str(LOOPBACK):      # of a parent that was confined
        del variables[PROFILES]


complete(os.environ)
