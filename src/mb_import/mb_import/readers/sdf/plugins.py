"""Elements <plugin>: Gazebo's controllers of joints are drives, all others are left out."""

from collections.abc import Callable, Iterator
import re

from mb_import.machine import Drive
from mb_import.notes import Notes
from mb_import.readers.sdf.poses import read_flag
from mb_import.xml_text import Element, label

# Last part of a plugin's name -> what it takes
_CONTROLLERS = {'JointController': 'velocity', 'JointPositionController': 'position',
                'ApplyJointForce': 'effort', 'JointTrajectoryController': 'position'}
_WORDS = re.compile(r'(?<=[a-z])(?=[A-Z])')


def read_plugin(element: Element, joint_of: Callable[[str], str], notes: Notes) -> Iterator[Drive]:
    """Yield the Drives of a plugin; leave it out with a note if it has none.

    joint_of: full name of a joint, '' if there is none of one degree of freedom.
    """
    item, command = label(element), _command(element, notes)
    if not command:
        notes.left_out(item, f'{element.get("filename", "")[:80] or "it"} is a plugin of a '
                             'simulator')
        return
    named = [(child.text or '').strip() for child in element.findall('joint_name')]
    if not named:
        notes.left_out(item, 'names no joint')
    for name in named:
        if not (joint := joint_of(name)):
            notes.left_out(item, f'there is no joint {name[:80]!r} with one degree of freedom')
            continue
        topic = element.findtext('topic') or element.findtext('sub_topic') or ''
        yield Drive(f'{joint}_{command}', {joint: 1.0}, (command,), topic.strip())


def _command(element: Element, notes: Notes) -> str:
    """Return what a plugin takes, '' if it is no controller of joints."""
    name = element.get('name', '').strip().rpartition('::')[2]
    file = element.get('filename', '')
    named = [command for known, command in _CONTROLLERS.items()
             if name == known or f'-{_WORDS.sub("-", known).lower()}-system' in file]
    command = named[0] if named else ''
    if command == 'velocity' and read_flag(element.findtext('use_force_commands'), False, notes,
                                           f'{label(element)}: use_force_commands'):
        return 'effort'
    return command
