"""Names as a machine has them: without the path of its model."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mb_import.machine import Drive, LinkJoint, MachineSensor, Relation


@dataclass(frozen=True)
class Names:
    """prefix: what is left away at the beginning of full names."""

    prefix: str

    def own(self, full: str) -> str:
        """Return the name of a link, joint or frame in its machine."""
        return full.removeprefix(self.prefix)

    def joints(self, joints: Iterable[LinkJoint]) -> list[LinkJoint]:
        """Return joints with their own names."""
        return [replace(joint, name=self.own(joint.name),
                        links=(self.own(joint.links[0]), self.own(joint.links[1])))
                for joint in joints]

    def relations(self, relations: Iterable[Relation]) -> dict[str, Relation]:
        """Return relations by their own names."""
        return {self.own(one.name): replace(one, name=self.own(one.name),
                                            terms=self._terms(one.terms.items()))
                for one in relations}

    def sensors(self, sensors: Iterable[MachineSensor]) -> dict[str, MachineSensor]:
        """Return sensors by name; one whose name another has, too, gets its link's before it."""
        named: dict[str, MachineSensor] = {}
        for sensor in sensors:
            link, name = self.own(sensor.link), sensor.name
            while name in named:
                name = f'{link}_{name}'
            named[name] = replace(sensor, name=name, link=link, joint=self.own(sensor.joint))
        return named

    def drives(self, drives: Iterable[Drive]) -> dict[str, Drive]:
        """Return drives by their own names."""
        return {self.own(one.name): replace(one, name=self.own(one.name),
                                            terms=self._terms(one.terms.items()))
                for one in drives}

    def _terms(self, terms: Iterable[tuple[str, float]]) -> dict[str, float]:
        return {self.own(joint): factor for joint, factor in terms}
