"""The unknowns whose observability is asked for: their names, units and sizes."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter.layout import Layout, motion_blocks
from mb_estimators.filters.channels import estimated_mountings, estimated_scales, mounting_names
from mb_estimators.observability.parameters import parameter_sizes

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

    def __len__(self):
        return len(self.names)

    def __getitem__(self, places):
        """Return the States at some places."""
        return States(tuple(self.names[i] for i in places), tuple(self.units[i] for i in places),
                      self.sizes[places])


def states_of(mechanism, sensors, forces, parameters):
    """Return the States z, zd, constant forces on z if wanted, parameters, of sensors the rest.

    The rest: biases, mountings and scales of the Sensors.  parameters: names.  Raises
    MechanismError for one that is none, SensorError for mountings that cannot be estimated.
    """
    size = mechanism.model['scale'][0, mechanism.model['independent'][0, :mechanism.g]]
    motion = Layout(motion_blocks(mechanism, 2 * [0.0]))
    names, units, sizes = list(motion.names), list(motion.units), [size, size]
    if forces:
        names += [f'{name} force' for name in mechanism.independent]
        units += [_FORCE_UNITS[mechanism.unit(name)] for name in mechanism.independent]
        by_force = mechanism.force_jacobian(mechanism.z0, mechanism.zd0)
        places = [mechanism.coordinates.index(name) for name in mechanism.independent]
        sizes.append(size / np.abs(by_force[range(mechanism.g), places]))
    names += parameters
    units += [''] * len(parameters)
    sizes.append(parameter_sizes(mechanism, parameters))
    for sensor in biased(sensors):
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


def biased(sensors):
    """Return the Sensors whose biases are unknown."""
    return [sensor for sensor in sensors if sensor.settings.bias_sigma > 0.0]
