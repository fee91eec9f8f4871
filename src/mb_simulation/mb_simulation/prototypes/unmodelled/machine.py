"""The machine that a prototype simulates: its mechanism with what no model knows."""

from mb_model import Mechanism, MechanismError
from mb_simulation.prototypes.unmodelled.elastic_body import fastest_rate, with_elastic_body
from mb_simulation.prototypes.unmodelled.hoses import with_hoses
from mb_simulation.prototypes.unmodelled.pump import with_sagging_pump
from mb_simulation.prototypes.unmodelled.settings import UnmodelledSettings


def real_machine(mechanism: Mechanism, settings: UnmodelledSettings) -> Mechanism:
    """Return a mechanism with the physics of settings, but for joints that give way, see loops.

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
