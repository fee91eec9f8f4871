"""What Python calls for mechanism and oil together, over arrays of one record each."""


from mb_model.circuit.kernels import coupled_step
from mb_model.jit import entry
from mb_model.kernels import parameters, storage

_evaluate, _step = coupled_step.evaluate, coupled_step.step
_set_parameter, _mass_matrix = parameters.set_parameter, storage.fill_mass_matrix


@entry
def evaluate(models, works, circuits, fluids):
    """See kernels.coupled_step.evaluate."""
    return _evaluate(models[0], works[0], circuits[0], fluids[0])


@entry
def step(models, works, circuits, fluids, h):
    """See kernels.coupled_step.step."""
    return _step(models[0], works[0], circuits[0], fluids[0], h)


@entry
def set_parameter(models, works, parameters, value):
    """See kernels.parameters.set_parameter; writes the mass matrix, too."""
    _set_parameter(models[0], parameters[0], value)
    _mass_matrix(models[0], works[0])
