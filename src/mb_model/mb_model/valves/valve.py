"""Valves as read from a mechanism file, and what a kind of these entries consists of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Properties that most kinds have; `flow` and `pressure_drop` are read of every kind.
NOMINAL = {'flow': {'$ref': '#/$defs/nominal_flow'},
           'pressure_drop': {'$ref': '#/$defs/nominal_drop'}}
SPOOL = {'opening': {'$ref': '#/$defs/nominal_opening'},
         'time_constant': {'$ref': '#/$defs/spool_time'}}


@dataclass(frozen=True)
class Orifice:
    """A passage of the oil, from volume or supply to another, that a valve opens.

    sign: 1 or -1, as of the command that opens it; 0: it is always open.
    """

    start: str
    end: str
    sign: int


@dataclass(frozen=True)
class Valve:
    """A valve of a circuit."""

    name: str
    orifices: tuple[Orifice, ...]
    coefficient: float             # flow over root of pressure drop, wide open [m^3/(s Pa^0.5)]
    time_constant: float           # of the spool [s]; 0: it has none
    start: float                   # spool at the start

    @property
    def commanded(self) -> bool:
        """Whether it has a spool that follows commands."""
        return any(orifice.sign for orifice in self.orifices)

    @property
    def least_command(self) -> float:
        """The least command that it takes."""
        return float(min((0, *(orifice.sign for orifice in self.orifices))))


@dataclass(frozen=True, eq=False)
class ValveKind:
    """A kind of entries of the section `hydraulics.valves`.

    schema: JSON schema of an entry: `description`, `properties` beside `kind`, `required` ones;
    ports: keys of the entry that name volumes or supplies;
    orifices: (port, port, sign of the command that opens it) -> an Orifice, where both are given.
    """

    name: str
    schema: Mapping[str, Any]
    ports: tuple[str, ...]
    orifices: tuple[tuple[str, str, int], ...]


def port(description: str) -> dict[str, str]:
    """Return the property of a port."""
    return {'$ref': '#/$defs/reference', 'description': description}


def start(least: int) -> dict[str, Any]:
    """Return the property of the spool at the start; least: 0 or -1, its least command."""
    return {'$ref': '#/$defs/number', 'default': 0.0, 'minimum': least, 'maximum': 1,
            'description': f'Spool at the start, {least} to 1 of full opening.'}
