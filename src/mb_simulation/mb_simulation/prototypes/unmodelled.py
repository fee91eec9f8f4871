"""Physics that a prototype has and no model knows: in bodies, joints, hoses and pumps."""

from dataclasses import dataclass

from mb_model import Mechanism, MechanismError, Settings, setting
from mb_model.space_api import body_tree
from mb_simulation.prototypes.elastic_body import fastest_rate, with_elastic_body
from mb_simulation.prototypes.unmodelled_oil import (
    CYLINDER,
    VALVE,
    with_hoses,
    with_sagging_pump,
)


@dataclass(frozen=True)
class UnmodelledSettings(Settings):
    """Physics of the MuJoCo prototype that the mechanism file, and so the model, does not have."""

    elastic_body: str = setting(
        '', help='Rigid body of the mechanism file that bends in the prototype; empty: none')
    bending_stiffness: float = setting(
        1.35e6, unit='N m^2', above=0.0, at_most=1e9,
        help="Of it: Young's modulus times second moment of area")
    damping_time: float = setting(
        2e-4, unit='s', at_least=0.0, at_most=1.0,
        help='Of it: damping over stiffness; half of it times a frequency [rad/s] is the share of '
             'critical damping at that frequency')

    hose_pressure_drop: float = setting(
        0.0, unit='Pa', at_least=0.0, at_most=1e8,
        help='Pressure drop of a throttle between each hose and its cylinder, at hose_flow; 0: no '
             'hoses of their own')
    hose_flow: float = setting(1e-4, unit='m^3/s', above=0.0, at_most=1.0,
                               help='Flow at which hoses have that pressure drop')
    pressures_at: str = setting(CYLINDER, choices=(CYLINDER, VALVE),
                                help='End of such hoses at which pressures are read')
    ripple_amplitude: float = setting(
        0.0, unit='Pa', at_least=0.0, at_most=1e8,
        help='Of a sine in the pressure of the supply with the highest one; 0: none')
    ripple_rate: float = setting(225.0, unit='Hz', above=0.0, at_most=1e4, help='Of that sine')

    supply_pressure_drop: float = setting(
        0.0, unit='Pa', at_least=0.0, at_most=1e8,
        help='What the pressure of the supply with the highest one falls by at a steady '
             'supply_flow; 0: it stays')
    supply_flow: float = setting(1e-4, unit='m^3/s', above=0.0, at_most=1.0,
                                 help='Flow at which it has fallen by that, as the square of it')
    supply_volume: float = setting(
        2e-3, unit='m^3', above=0.0, at_most=10.0,
        help='Oil that this supply keeps, in a line or an accumulator: the more, the slower it '
             'falls')

    joint_stiffness: float = setting(
        0.0, unit='N/m', at_least=0.0, at_most=1e10,
        help='Of every joint that closes a loop, in all directions; 0: they are rigid')
    joint_damping: float = setting(50.0, unit='N s/m', above=0.0, at_most=1e9,
                                   help='Of such a joint')
    joint_clearance: float = setting(
        0.0, unit='m', at_least=0.0, at_most=1.0,
        help='Of such a joint: radius of the hole less the radius of the pin, which is free in it')

    @property
    def is_none(self) -> bool:
        """Whether there is no such physics."""
        return not (self.changes_machine or self.joint_stiffness or self.joint_clearance)

    @property
    def changes_machine(self) -> bool:
        """Whether bodies or oil of the machine are others than in the file."""
        return bool(self.elastic_body or self.hose_pressure_drop or self.ripple_amplitude
                    or self.supply_pressure_drop)


def real_machine(mechanism: Mechanism, settings: UnmodelledSettings) -> Mechanism:
    """Return a mechanism with the physics of settings, but for joints that give way.

    Raises MechanismError where unfit.
    """
    if settings.elastic_body:
        mechanism = with_elastic_body(mechanism, settings.elastic_body,
                                      settings.bending_stiffness, settings.damping_time)
    if settings.hose_pressure_drop:
        mechanism = with_hoses(mechanism, settings.hose_pressure_drop, settings.hose_flow)
    if settings.supply_pressure_drop:
        mechanism = with_sagging_pump(mechanism, settings.supply_pressure_drop,
                                      settings.supply_flow, settings.supply_volume)
    if settings.ripple_amplitude and mechanism.circuit is None:
        raise MechanismError(f'{mechanism.file}: unmodelled.ripple_amplitude: there is no oil')
    return mechanism


def fastest(mechanism: Mechanism, settings: UnmodelledSettings) -> float:
    """Return the largest rate of what settings add to a mechanism without oil [1/s]."""
    return fastest_rate(mechanism, settings.elastic_body, settings.bending_stiffness,
                        settings.damping_time) if settings.elastic_body else 0.0


def require_loops(mechanism: Mechanism, settings: UnmodelledSettings) -> None:
    """Raise MechanismError for joints of settings that the prototype cannot let give way."""
    if not settings.joint_stiffness:
        if settings.joint_clearance:
            raise MechanismError(
                f'{mechanism.file}: unmodelled.joint_clearance: {settings.joint_clearance:g} must '
                'be 0 without a joint_stiffness, by which a pin pushes its hole')
        return
    if mechanism.dimension == 3:
        missing = 'only for mechanisms in the plane'
    elif settings.elastic_body or mechanism.flexible_bodies:
        missing = 'not beside bodies that bend, whose chains have joints of their own'
    elif not body_tree(mechanism).closures:
        missing = 'no joint closes a loop'
    else:
        return
    raise MechanismError(f'{mechanism.file}: unmodelled.joint_stiffness: '
                         f'{settings.joint_stiffness:g} must be 0: {missing}')
