"""What a hydraulic circuit is made of, as read from a mechanism file: plain, validated data."""

from dataclasses import dataclass
from math import pi

from mb_model.valves.valve import Valve


@dataclass(frozen=True)
class Oil:
    """What flows in a circuit."""

    bulk_modulus: float            # of the oil alone [Pa]
    air: float                     # share of free air at atmospheric pressure
    laminar_pressure: float        # drop below which an orifice is laminar [Pa]


@dataclass(frozen=True)
class FluidVolume:
    """A volume of one pressure: hoses and pipes, beside the chambers of cylinders in it."""

    name: str
    volume: float                  # of hoses and pipes [m^3]
    bulk_modulus: float            # of these hoses and pipes [Pa]
    start: float | None            # pressure [Pa]; None: what holds the mechanism at rest


@dataclass(frozen=True)
class CylinderFriction:
    """Friction of the seals, see circuit.kernels.cylinder."""

    coulomb: float                 # [N]
    static: float                  # [N]
    transition_velocity: float     # [m/s]
    viscous: float                 # [N s/m]
    pressure_difference: float     # [m^2]
    rod_pressure: float            # [m^2]


@dataclass(frozen=True)
class EndStop:
    """What the piston meets at both ends of its stroke, see circuit.kernels.cylinder."""

    stiffness: float               # [N/m]
    damping: float                 # [s/m]


@dataclass(frozen=True)
class Cylinder:
    """A cylinder whose length is a coordinate; sides: names of volumes or supplies."""

    name: str
    coordinate: str
    retracted: float               # the coordinate at the first end of the stroke [m]
    stroke: float                  # [m]
    piston_side: str
    rod_side: str | None           # None: open to the air
    piston_diameter: float         # [m]
    rod_diameter: float            # [m]
    bulk_modulus: float            # of the barrel [Pa]
    leakage: float                 # past the piston [m^3/(s Pa)]
    friction: CylinderFriction
    end_stop: EndStop

    @property
    def piston_area(self):
        """Area that the pressure of the piston side acts on [m^2]."""
        return 0.25 * pi * self.piston_diameter * self.piston_diameter

    @property
    def rod_area(self):
        """Area that the pressure of the rod side acts on [m^2]."""
        return self.piston_area - 0.25 * pi * self.rod_diameter * self.rod_diameter


@dataclass(frozen=True)
class Hydraulics:
    """The section `hydraulics` of a mechanism file."""

    oil: Oil
    supplies: dict[str, float]     # name -> pressure [Pa]
    volumes: dict[str, FluidVolume]
    cylinders: dict[str, Cylinder]
    valves: dict[str, Valve]
