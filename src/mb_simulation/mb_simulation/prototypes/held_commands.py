"""Commands from stamped messages: valves, parameters and drives; they hold until the next ones."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from mb_model import Mechanism, StampedHold, require_sensible
from mb_simulation.prototypes.parameters import with_parameters
from mb_simulation.prototypes.prototype import Prototype


class HeldCommands:
    """The commands of a prototype at any time, as a function of stamps [ns] alone.

    A command acts from the first step on that begins at its stamp plus `delay` or later, so a
    command within the delay (or ahead of its stamp) acts in time.  Until their first command valves
    stay as they are at the start.
    """

    def __init__(self, mechanism: Mechanism, delay: float = 0.0) -> None:
        """Take commands for a mechanism; delay in seconds."""
        self._mechanism, self._delay = mechanism, round(1e9 * delay)
        circuit = mechanism.circuit
        self._valves = circuit.valves if circuit else ()
        self._resting = dict(zip(self._valves, circuit.U0, strict=True)) if circuit else {}
        self._least = dict(zip(self._valves, circuit.least_command, strict=True)) if circuit else {}
        self._commands, self._parameters, self._drives = (StampedHold() for _ in range(3))
        self._spools = self._pushes = None
        self._accepted = {}     # parameters, whether they act already or not
        self._refused = None
        self.rejected = 0
        self.changes = []       # (time [ns], name -> value of all parameters), to be published

    @property
    def used(self) -> int:
        """How many commands for valves came."""
        return self._commands.used

    @property
    def late(self) -> int:
        """How many commands came after their time."""
        return self._commands.late + self._parameters.late + self._drives.late

    def add_valves(self, stamp: int, names: Sequence[str], commands: Sequence[float]) -> None:
        """Add commands for valves by name, -1..1; raises ValueError for impossible ones."""
        with self._counting():
            _require_pairs(names, commands)
            for name, command in zip(names, commands, strict=True):
                if name not in self._valves:
                    raise ValueError(f'{name}: unknown valve, expected one of '
                                     f'{", ".join(self._valves) or "none: there is no circuit"}')
                if not self._least[name] <= command <= 1.0:
                    raise ValueError(f'{name}: command {command} must be from '
                                     f'{self._least[name]:g} to 1')
            self._commands.add(stamp, dict(zip(names, commands, strict=True)))

    def add_parameters(self, stamp: int, names: Sequence[str], values: Sequence[float]) -> None:
        """Add values of parameters of the mechanism file; raises ValueError like the above.

        stamp 0: from the next step on.
        """
        with self._counting():
            _require_pairs(names, values)
            given = dict(zip(names, values, strict=True))
            with_parameters(self._mechanism, self._accepted | given)
            self._accepted |= given
            self._parameters.add(stamp, given)

    def add_drives(self, stamp: int, names: Sequence[str], forces: Sequence[float]) -> None:
        """Add forces of drives by name [N or N m]; raises ValueError for impossible ones."""
        with self._counting():
            _require_pairs(names, forces)
            known = self._mechanism.drives
            for name, force in zip(names, forces, strict=True):
                if name not in known:
                    raise ValueError(f'{name}: unknown drive, expected one of '
                                     f'{", ".join(known) or "none: there are none"}')
                require_sensible(f'{self._mechanism.name}: {name}', force)
            self._drives.add(stamp, dict(zip(names, forces, strict=True)))

    def act(self, prototype: Prototype, time: int) -> None:
        """Apply the commands that hold at a time [ns] to a prototype, from its next step on."""
        now = time - self._delay
        if self._valves:
            held = self._commands.at(now)
            spools = tuple(held.get(name, self._resting[name]) for name in self._valves)
            if spools != self._spools:
                self._spools = spools
                prototype.set_valves(np.array(spools))
        pushes = self._drives.at(now)
        if pushes and pushes != self._pushes:
            self._pushes = dict(pushes)
            prototype.set_drive_torques(np.array([
                pushes.get(name, 0.0) for name in self._mechanism.drives]))
        held = self._parameters.at(now)
        if not held:
            return
        changed = {name: value for name, value in held.items()
                   if value != prototype.parameters[name]}
        if changed and changed != self._refused:
            try:
                prototype.set_parameters(changed)
                self.changes.append((time, dict(prototype.parameters)))
            except ValueError:      # values that belong together only by the order of arrival
                self._refused = changed
                self.rejected += 1

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Count refused commands."""
        try:
            yield
        except ValueError:
            self.rejected += 1
            raise


def _require_pairs(names: Sequence[str], values: Sequence[float]) -> None:
    """Raise ValueError unless there is one value for each name."""
    if not names or len(names) != len(values):
        raise ValueError(f'{len(names)} names with {len(values)} values, expected one for each')
