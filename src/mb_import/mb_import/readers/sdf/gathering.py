"""Links, joints, sensors, drives and couplings of models, by full names."""

from collections.abc import Iterable

from mb_import.joint_tree import still
from mb_import.machine import WORLD, Drive, Link, LinkJoint, MachineSensor, Relation
from mb_import.notes import Notes
from mb_import.readers.sdf.couplings import gearbox, mimics
from mb_import.readers.sdf.drake import PREFIX, read_constraint
from mb_import.readers.sdf.frames import Scope
from mb_import.readers.sdf.joints import JointParts, read_joint
from mb_import.readers.sdf.links import read_link
from mb_import.readers.sdf.models import Model
from mb_import.readers.sdf.plugins import read_plugin
from mb_import.readers.sdf.poses import read_pose
from mb_import.sensor_elements import read_sensor
from mb_import.xml_text import Element, label
from mb_model.space_api import Pose

_KNOWN = ('pose', 'static', 'frame', 'model', 'include', 'link', 'joint', 'plugin',
          'self_collide', 'allow_auto_disable', 'enable_wind')
Part = tuple[Element, Scope]


class Gathered:
    """What models have, as it is read; parts: of each <joint>."""

    def __init__(self, notes: Notes) -> None:
        """Begin with nothing."""
        self._notes = notes
        self.links: dict[str, Link] = {}
        self.joints: list[LinkJoint] = []
        self.parts: dict[str, JointParts] = {}
        self.relations: dict[str, Relation] = {}
        self.sensors: dict[tuple[str, str], MachineSensor] = {}
        self.drives: dict[str, Drive] = {}
        self._coordinates: dict[tuple[str, str], str] = {}
        self._elements: list[Part] = []
        self._leaders: set[str] = set()

    def links_of(self, model: Model) -> None:
        """Read the links of a model; links of a static one are parts of the world."""
        for item, reason in model.unread:
            self._notes.left_out(item, reason)
        if model.static:
            self._notes.changed(f'model {model.name}', 'is static: its links are the world')
            return
        for element, scope in model.parts:
            self._leaders |= {scope.full(mimic.get('joint', ''))
                              for mimic in element.iterfind('*/mimic')}
            if element.tag == 'link':
                full = scope.full(element.get('name', ''))
                self.links[full] = read_link(element, scope, full)

    def joints_of(self, parts: Iterable[Part]) -> None:
        """Read the joints among some elements, and Drake's constraints."""
        for element, scope in parts:
            if element.tag.startswith(PREFIX):
                name = self._free_name(scope.full(element.tag.removeprefix(PREFIX)))
                if (closure := read_constraint(element, scope, name)) is not None:
                    self.joints.append(closure)
            elif element.tag == 'joint':
                self._joint(element, scope)

    def _joint(self, element: Element, scope: Scope) -> None:
        full = scope.full(element.get('name', ''))
        self._elements.append((element, scope))
        parts = read_joint(element, scope, full, leads=full in self._leaders)
        if parts is None:
            return
        if all(link == WORLD for joint in parts.joints for link in joint.links):
            self._notes.changed(label(element), 'ties parts of the world to each other')
            return
        self.joints.extend(parts.joints)
        self.parts[full] = parts
        self._coordinates |= {(full, axis): name for axis, name in parts.coordinates.items()}
        self.links |= {link.name: link for link in parts.links}

    def _free_name(self, name: str) -> str:
        taken, number, free = {joint.name for joint in self.joints}, 1, name
        while free in taken:
            number += 1
            free = f'{name}_{number}'
        return free

    def rest_of(self, model: Model) -> None:
        """Read sensors and plugins of a model, and note what is left of it."""
        for element, scope in model.parts:
            if element.tag == 'plugin':
                self._drives(element, scope)
            elif element.tag == 'link' and not model.static:
                self._link_sensors(element, scope)
            elif element.tag == 'joint':
                self._joint_sensors(element, scope)
            elif element.tag not in _KNOWN and not element.tag.startswith(PREFIX):
                self._notes.left_out(f'model {model.name}', f'<{element.tag[:40]}> has no meaning '
                                                            'for a mechanism')

    def _drives(self, element: Element, scope: Scope) -> None:
        def joint_of(name: str) -> str:
            return self._coordinates.get((scope.full(name), 'axis'), '')

        self.drives |= {drive.name: drive
                        for drive in read_plugin(element, joint_of, self._notes)}

    def _link_sensors(self, link: Element, scope: Scope) -> None:
        full = scope.full(link.get('name', ''))
        home = scope.frames.frame(full).pose
        for element in link.findall('sensor'):
            pose, base = read_pose(element, self._notes, label(element))
            if base:
                pose = home.inverse().then(scope.frame(base, label(element)).pose.then(pose))
            self._keep(element, full, full, pose)

    def _joint_sensors(self, joint: Element, scope: Scope) -> None:
        full = scope.full(joint.get('name', ''))
        if (parts := self.parts.get(full)) is None:
            return
        for element in joint.findall('sensor'):
            pose, base = read_pose(element, self._notes, label(element))
            if base:
                self._notes.left_out(label(element), f'its pose relative to {base[:40]}: taken at '
                                                     'the joint')
                pose = still()
            self._keep(element, full, parts.joints[-1], pose)

    def _keep(self, element: Element, full: str, home: str | LinkJoint, pose: Pose) -> None:
        name = element.get('name', '') or 'sensor'
        sensor = read_sensor(element, name, home, pose, self._notes)
        if sensor is not None:
            self.sensors[full, name] = sensor

    def couple(self) -> None:
        """Read what ties coordinates to each other, once all joints are read."""
        for element, scope in self._elements:
            if element.get('type') == 'gearbox':
                relations = [gearbox(element, scope, self.joints)]
            else:
                full = scope.full(element.get('name', ''))
                relations = list(mimics(element, scope, full, self._coordinates))
            self.relations |= {relation.name: relation for relation in relations
                               if relation is not None}
