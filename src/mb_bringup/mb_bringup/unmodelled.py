"""Arguments of launch files for physics that the prototype in MuJoCo has, and no model."""

from collections.abc import Mapping
from typing import Any

from mb_bringup.arguments import Argument, argument_like, number
from mb_model import Mechanism
from mb_simulation.prototypes.unmodelled import (
    UnmodelledSettings,
    real_machine,
    require_loops,
)


def _arguments(**described: Any) -> dict[str, Argument]:
    """Return {name: Argument} of settings: name=(default, description)."""
    return {name: argument_like(default, f'{description} In the prototype in MuJoCo, in no model',
                                UnmodelledSettings, name)
            for name, (default, description) in described.items()}


JOINTS = _arguments(
    joint_stiffness=('0.0', 'Stiffness of every joint that closes a loop [N/m]; 0: rigid.'),
    joint_damping=('50.0', 'Its damping [N s/m].'),
    joint_clearance=('0.0', 'Radius of its hole less the radius of its pin, which is free in '
                     'it [m]; not without a stiffness.'))
OIL = _arguments(
    hose_pressure_drop=('0.0', 'Pressure drop of the throttle in each hose, at 6 l/min [Pa]; 0: no '
                        'such hoses.'),
    ripple_amplitude=('0.0', "Ripple of the pump's pressure [Pa]; 0: none."),
    ripple_rate=('225.0', 'Its frequency [Hz].'),
    supply_pressure_drop=('0.0', "What the pump's pressure falls by at 6 l/min [Pa]; 0: it "
                          'stays.'))


def unmodelled(mechanism: Mechanism, given: Mapping[str, str], **more: Any) -> dict[str, Any]:
    """Return the parameters of the prototype that give it UnmodelledSettings, none if unused.

    given: texts of all arguments of a launch file; more: further settings.
    Raises ValueError where the engine or the mechanism cannot have them.
    """
    settings = {name: number(given, name) for name in JOINTS | OIL if name in given} | more
    chosen = UnmodelledSettings(**settings)
    if chosen.is_none:
        return {}
    if given['prototype'] != 'mujoco':
        raise ValueError(f'prototype: {given["prototype"]} has the physics of the model alone, '
                         'expected mujoco')
    require_loops(mechanism, chosen)
    real_machine(mechanism, chosen)
    return {f'unmodelled.{name}': value for name, value in settings.items()}
