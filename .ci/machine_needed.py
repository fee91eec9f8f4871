"""End with one line for each thing that this machine lacks, before anything is installed.

Old Pythons can read it: make runs it first, with the one that environments are made with.  Where
ROS 2 is sourced only Python's version matters; elsewhere its wheels must fit, and Python's headers
be there to compile messages.
"""

# ruff: noqa: UP031, RUF005
import os
import platform
import sys
import sysconfig

LEAST, NEWEST = (3, 11), (3, 13)        # NEWEST: of the wheels
SOURCE = ('Source a ROS 2 (Jazzy or newer) and run make again: apt on Ubuntu 24.04, or RoboStack '
          '(https://robostack.github.io) on any Linux, macOS or aarch64')


def needed():
    """Yield a sentence for each thing that is missing."""
    version = sys.version_info[:2]
    name = '%d.%d' % version
    if version < LEAST:
        yield ('mb_state_estimation needs Python %d.%d or newer, and %s is %s. '
               'Name another one, such as: make PYTHON=python3.11 demo'
               % (LEAST + (sys.executable, name)))
    if os.environ.get('ROS_DISTRO') or version < LEAST:
        return
    here = '%s %s' % (platform.system(), platform.machine())
    libc, release = platform.libc_ver()
    if here != 'Linux x86_64' or libc != 'glibc':
        yield ('ROS 2 has wheels for Linux x86_64 with glibc alone, and this is %s%s. %s.'
               % (here, '' if libc in ('glibc', '') else ' with ' + libc, SOURCE))
    elif tuple(int(part) for part in release.split('.')[:2]) < (2, 28):
        yield 'The wheels of ROS 2 need glibc 2.28 or newer, this is %s. %s.' % (release, SOURCE)
    elif version > NEWEST:
        yield ('ROS 2 has wheels for Python 3.11 to %d.%d, and %s is %s. Name another one, such '
               'as: make PYTHON=python3.13 demo. Or: %s.'
               % (NEWEST + (sys.executable, name, SOURCE)))
    elif not os.path.isfile(os.path.join(sysconfig.get_path('include'), 'Python.h')):
        yield ("Python's headers are missing, which compile messages. Install them: apt install "
               'python%s-dev (Debian, Ubuntu), dnf install python3-devel (Fedora)' % name)
    elif not has_venv():
        yield 'Python has no venv. Install it: apt install python%s-venv (Debian, Ubuntu)' % name


def has_venv():
    """Return whether this Python can make environments; Debian's lacks a part of it."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return False
    return True


missing = list(needed())
if missing:
    sys.exit('\n'.join(missing))
