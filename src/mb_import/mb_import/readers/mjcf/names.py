"""Names of what an MJCF file may leave without one."""

from collections.abc import Iterable, Sequence

from mb_import.machine import WORLD
from mb_import.notes import Notes
from mb_import.readers.mjcf.records import Compiled


class Names:
    """Names by index: bodies, joints (links between joints of a body: between), and more."""

    def __init__(self, compiled: Compiled, notes: Notes) -> None:
        """Name what has none, with a note."""
        self.bodies = [WORLD]
        taken = {WORLD, *(body.name for body in compiled.bodies)}
        for k, body in enumerate(compiled.bodies[1:], 1):
            name = body.name
            if not name or name == WORLD:
                name = free(f'{self.bodies[body.parent]}_child' if body.parent else f'body_{k}',
                            taken)
                notes.guessed(f'body {k}', f'called {name}: it has no name of its own')
            self.bodies.append(name)
        self._joint_names = {joint.name for joint in compiled.joints}
        self.joints: list[str] = []
        for joint in compiled.joints:
            name = joint.name
            if not name:
                name = free(f'{self.bodies[joint.body]}_{joint.kind}', self._joint_names)
                if joint.kind != 'free':
                    notes.guessed(f'joint of {self.bodies[joint.body]}',
                                  f'called {name}: it has no name')
            self.joints.append(name)
        self._links = {*self.bodies}

    def between(self, joint: int) -> str:
        """Return the name of a link behind a joint that is not the last one of its body."""
        return free(f'{self.joints[joint]}_link', self._links)

    def weld(self, body: int) -> str:
        """Return the name of what holds a body without joints."""
        return free(f'{self.bodies[body]}_fixed', self._joint_names)

    def equality(self, name: str, kind: str, ends: Iterable[str]) -> str:
        """Return the name of an equality; ends: names of what it ties."""
        return free(name or '_'.join((kind, *filter(None, ends))), self._joint_names)


def free(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, and take it."""
    one, count = name, 1
    while one in taken:
        count += 1
        one = f'{name}_{count}'
    taken.add(one)
    return one


def numbered(names: Sequence[str], kind: str) -> list[str]:
    """Return names, each once; for an empty one a kind and a number."""
    taken = {name for name in names if name}
    return [name or free(f'{kind}_{k}', taken) for k, name in enumerate(names, 1)]
