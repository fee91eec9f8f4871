"""The unknowns whose observability is asked for: their names, units and sizes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.filter.layout import Layout, motion_blocks
from mb_estimators.filters.channels import estimated_mountings, estimated_scales, mounting_names
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import Sensor

_FORCE_UNITS = {'rad': 'N m', 'm': 'N'}


@dataclass(frozen=True)
class States:
    """Names and units of l unknowns, and the size of each that makes a difference.

    sizes (l): a radian, or the size of the mechanism; the same in a second; a force that gives such
    an acceleration; the value of a parameter; the bias_sigma, mounting_sigma,
    scale_sigma or misalignment_sigma of a sensor.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    sizes: np.ndarray

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, indices: Sequence[int]) -> 'States':
        """Return some of the States, by their indices."""
        return States(tuple(self.names[i] for i in indices), tuple(self.units[i] for i in indices),
                      self.sizes[list(indices)])


def sizes_of(mechanism: Mechanism) -> FloatArray:
    """Return the sizes of the degrees of freedom (g): a radian, or the size of the mechanism."""
    model = mechanism.model
    sizes: FloatArray = model['scale'][0, model['independent'][0, :mechanism.g]]
    return sizes


def parameter_sizes(mechanism: Mechanism, names: Sequence[str]) -> FloatArray:
    """Return the magnitudes of parameters (p), 1 for parameters that are zero.

    Raises MechanismError for a name that is none, see mb_model.compilation.parameters.
    """
    values = np.abs(mechanism.parameter_records(names)['value'])
    return np.where(values > 0.0, values, 1.0)


def states_of(mechanism: Mechanism, sensors: Sequence[Sensor], forces: bool,
              parameters: Sequence[str]) -> States:
    """Return the States z, zd, constant forces on z if wanted, parameters, of sensors the rest.

    The rest: biases, mountings and scales of the Sensors.  parameters: names.  Raises
    MechanismError for one that is none, SensorError for mountings that cannot be estimated.
    """
    size = sizes_of(mechanism)
    motion = Layout(motion_blocks(mechanism, 2 * [0.0]))
    names, units, sizes = list(motion.names), list(motion.units), [size, size]
    if forces:
        names += [f'{name} force' for name in mechanism.independent]
        units += [_FORCE_UNITS[mechanism.unit(name)] for name in mechanism.independent]
        by_force = mechanism.force_jacobian(mechanism.z0, mechanism.zd0)
        columns = [mechanism.coordinates.index(name) for name in mechanism.independent]
        sizes.append(size / np.abs(by_force[range(mechanism.g), columns]))
    names += parameters
    units += [''] * len(parameters)
    sizes.append(parameter_sizes(mechanism, parameters))
    for sensor in sensors:
        if not sensor.settings.bias_sigma > 0.0:
            continue
        names += [f'bias of {channel}' for channel in sensor.channels]
        units += [sensor.unit] * len(sensor.channels)
        sizes.append(np.full(len(sensor.channels), sensor.settings.bias_sigma))
    mountings = estimated_mountings(sensors)
    names += [f'mounting of {name}' for name in mounting_names(mountings)]
    units += ['rad'] * 3 * len(mountings)
    sizes.append(np.repeat(list(mountings.values()), 3))
    scales = estimated_scales(sensors)
    names += [f'scale of {channel}' for channel in scales]
    units += [''] * len(scales)
    sizes.append(np.array(list(scales.values())))
    return States(tuple(names), tuple(units), np.concatenate(sizes))


def by_biases(sensors: Sequence[Sensor]) -> FloatArray:
    """Return derivatives of readings by each unknown bias (channels, b): 1 for its channel."""
    unknown = np.concatenate([np.full(len(sensor.channels), sensor.settings.bias_sigma > 0.0)
                              for sensor in sensors])
    return np.eye(len(unknown))[:, unknown]


def relative(derivatives: FloatArray, axis: int | tuple[int, ...]) -> FloatArray:
    """Return derivatives over the largest of them along some axes; zeros where all are zero."""
    largest = np.abs(derivatives).max(axis=axis, keepdims=True)
    return np.divide(derivatives, largest, out=np.zeros_like(derivatives), where=largest > 0.0)
