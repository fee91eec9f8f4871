"""What <gazebo> adds to links and joints of a URDF, sensors and joints aside."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
import re

from mb_import.machine import WORLD, LinkJoint
from mb_import.notes import Notes
from mb_import.readers.urdf.elements import at_least_zero, attribute, children, local, text_of
from mb_import.readers.urdf.mimics import Mimic
from mb_import.xml_text import Element, label, number

# What moves no machine: looks, and switches of solvers and reports.
_IGNORED = {'material', 'visual', 'collision', 'joint', 'sensor', 'plugin',
            'implicitSpringDamper',
            'provideFeedback', 'disableFixedJointLumping', 'preserveFixedJoint',
            'springStiffness', 'springReference', 'laserRetro'}
_CONTACT = {'mu', 'mu1', 'mu2', 'kp', 'kd', 'fdir1', 'minDepth', 'maxVel', 'maxContacts',
            'selfCollide', 'self_collide', 'stopKp', 'stopKd', 'stopCfm', 'stopErp', 'slip1',
            'slip2', 'torsionalFriction', 'fudgeFactor', 'cfmDamping', 'bounce'}
_READ = re.compile('ros2?_control|joint.state.publisher')
_NO_GRAVITY = {('gravity', 'false'), ('gravity', '0'), ('turnGravityOff', 'true'),
               ('turnGravityOff', '1')}


def sprung(joints: Mapping[str, LinkJoint], links: Collection[str], elements: Sequence[Element],
           notes: Notes) -> dict[str, LinkJoint]:
    """Return the joints with springs of <gazebo reference>; notes what else is in it.

    Raises MechanismError.
    """
    joints = dict(joints)
    for element in elements:
        reference = (attribute(element, 'reference') or '').strip()
        item = f'gazebo {reference}'.strip()
        if reference and reference not in {*links, *joints, WORLD}:
            notes.left_out(item, 'there is no link or joint of this name')
            continue
        _note_others(element, item, notes)
        stiffness, rest = (number(text_of(element, tag), notes, f'{item}: {tag}', 0.0)
                           for tag in ('springStiffness', 'springReference'))
        if not stiffness:
            continue
        if reference not in joints or not joints[reference].is_scalar:
            notes.left_out(item, 'springStiffness: there is no coordinate for a spring')
            continue
        joints[reference] = replace(
            joints[reference], rest=rest,
            stiffness=at_least_zero(stiffness, notes, f'{item}: springStiffness'))
    return joints


def _note_others(element: Element, item: str, notes: Notes) -> None:
    contact = sorted({local(child.tag) for child in element} & _CONTACT)
    if contact:
        notes.left_out(item, f'{", ".join(contact)}: contacts and stops are no part of a mechanism')
    for child in element:
        tag, text = local(child.tag), (child.text or '').strip().lower()
        if (tag, text) in _NO_GRAVITY:
            notes.left_out(item, 'gravity acts on all bodies')
        elif tag == 'dampingFactor':
            notes.left_out(item, 'dampingFactor: it slows a body, whatever holds it')
        elif tag == 'plugin' and not _is_read(child):
            notes.left_out(item, f'plugin {attribute(child, "filename") or ""}'.rstrip())
        elif tag not in _IGNORED | _CONTACT | {'gravity', 'turnGravityOff'}:
            notes.left_out(item, f'<{tag}> is not known')


def plugin_mimics(elements: Sequence[Element], notes: Notes) -> list[Mimic]:
    """Return what mimic plugins of Gazebo say of joints."""
    mimics = []
    for element in elements:
        for plugin in children(element, 'plugin'):
            joint, leader = text_of(plugin, 'joint'), text_of(plugin, 'mimicJoint')
            if joint and leader:
                item = label(plugin)
                mimics.append(Mimic(joint, leader, *(
                    number(text_of(plugin, tag), notes, f'{item}: {tag}', default)
                    for tag, default in (('multiplier', 1.0), ('offset', 0.0)))))
    return mimics


def _is_read(plugin: Element) -> bool:
    """Whether what a plugin says is read elsewhere: of mimics, of <ros2_control>, of encoders."""
    return bool(text_of(plugin, 'mimicJoint')
                or _READ.search(attribute(plugin, 'filename') or ''))
