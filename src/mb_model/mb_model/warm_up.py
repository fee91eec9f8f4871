"""Compile every kernel of mb_model into numba's cache: `python -m mb_model.warm_up`."""

from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from mb_model.integration.registry import FORMULATIONS
from mb_model.jit import compile_ahead, uncollected
from mb_model.kernels.programs import EXPRESSIONS
from mb_model.mechanism import load_mechanism
from mb_model.registry.forces import RARE
from mb_model.simulation.second_motion import SecondMotion
from mb_model.stepping.formulation_stepper import make_stepper

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism
    from mb_model.stepping.stepper import Stepper

_ANY = 'four_bar'      # one compilation serves all mechanisms of one storage
_IN_SPACE = 'spatial_slider_crank'      # with kernels that wait for a mechanism in space
_TREE = 'six_axis_arm'                  # in space, without loops


def warm_up() -> None:
    """Call every compiled entry point once; compilation happens on the first call."""
    # Imports are where they are used: nodes import this module for a part of it.
    from mb_model.simulation.energy import energy_balance
    from mb_model.simulation.simulate import simulate
    for storage in ('dense', 'sparse'):
        warm_up_answers(storage)
        energy_balance(simulate(load_mechanism(_ANY, storage), 2e-3, 1e-3))
        for name, formulation in FORMULATIONS.items():
            for integrator in formulation.integrators:
                if storage == 'dense' or 2 in formulation.sparse_dimensions:
                    stepper = warm_up_steps(name, integrator, storage)
                    stepper.inverse_dynamics(stepper.zdd)
                    stepper.reactions()
    warm_up_hydraulics()
    warm_up_space()
    for rare in (EXPRESSIONS, RARE):
        rare.met(later=True)


def warm_up_space() -> None:
    """Compile, or load from the cache, what waits for a mechanism in space, and its pictures."""
    # Imported here: nodes draw nothing.
    from mb_model.pictures.space.drawing import draw_space
    warm_up_answers(name=_IN_SPACE)
    for storage in ('dense', 'sparse'):
        warm_up_steps('semi_recursive', storage=storage, name=_TREE)
    warm_up_steps('semi_recursive', storage='sparse', name=_IN_SPACE)       # with loops
    mechanism = load_mechanism(_IN_SPACE)
    draw_space(mechanism, mechanism.q0, BytesIO())


def warm_up_answers(storage: str = 'dense', name: str = _ANY) -> None:
    """Compile, or load from the cache, what the methods of Mechanism call."""
    mechanism = load_mechanism(name, storage)
    z, zd = mechanism.z0, mechanism.zd0
    q = mechanism.assemble(z)
    mechanism.acceleration(q, mechanism.velocity(q, zd), zd)
    mechanism.forward_dynamics(z, zd)
    mechanism.inverse_dynamics(z, zd, zd)
    if storage == 'dense':
        mechanism.linearise(z, zd)
        mechanism.force_jacobian(z, zd)
        mechanism.parameter_jacobian(z, zd, ['gravity.y'])
        mechanism.operational_space(z, zd)
        warm_up_regressor(mechanism)
    mechanism.energy(z, zd)
    mechanism.closing_error(q)


def warm_up_regressor(mechanism: 'Mechanism') -> None:
    """Compile, or load from the cache, what a Regressor calls."""
    from mb_model.regressor import Regressor
    regressor = Regressor(mechanism, ['gravity.y'])
    regressor.values = regressor.values
    regressor.along(*3 * [mechanism.z0[np.newaxis]])


def warm_up_steps(formulation: str = 'index3_al', integrator: str | None = None,
                  storage: str = 'dense', name: str = _ANY) -> 'Stepper':
    """Compile, or load from the cache, what the steps of a Stepper call; return one."""
    stepper = make_stepper(load_mechanism(name, storage), formulation, integrator)
    second = SecondMotion(stepper)
    stepper.step(1e-3)
    second.stepped(1e-3)
    second.catch_up()
    return stepper


def warm_up_hydraulics() -> None:
    """Compile, or load from the cache, what Circuit, FluidStepper and HydraulicStepper call."""
    # Imported here: most mechanisms have no oil.
    from mb_model.hydraulics import FluidStepper, HydraulicStepper, simulate_hydraulics
    crane = load_mechanism('crane')
    simulate_hydraulics(crane, 1e-3, 1e-3).energy()
    circuit: Any = crane.circuit
    s, still = crane.z0, np.zeros(1)
    circuit.derivatives(s, still, circuit.p0, circuit.U0)
    FluidStepper(circuit).step(1e-3, s, s, still, still)
    HydraulicStepper(crane).set_parameter('load', 40.0)


@uncollected(for_good=True)
def main() -> None:
    """Warm the cache and print how long it took."""
    start = perf_counter()
    compile_ahead()
    warm_up()
    print(f'mb_model: kernels ready after {perf_counter() - start:.1f} s')


if __name__ == '__main__':
    main()
