"""The mass matrix of each body by itself."""


from mb_model.jit import entry
from mb_model.kernel_api import add_body_mass, second_moment

_add_body, _second_moment = add_body_mass, second_moment


@entry
def body_inertias(models, out):
    """Write the mass matrix of each body, out (bodies, 4, 4), once zero.

    In the plane of its two points; in space of its origin and axes, the same for x, y and z.
    """
    model = models[0]
    for b in range(model.bodies):
        _add_body(model, b, 0, 2, out[b])
    for b in range(model.solids):
        for i in range(4):
            for j in range(4):
                out[model.bodies + b, i, j] = _second_moment(
                    model.solid_mass[b], model.solid_centre[b], model.solid_inertia[b],
                    model.solid_line[b], i, j)
