"""Channels that read a state of a hydraulic filter itself: pressures, lengths of cylinders."""

from mb_estimators.filters.channels import motion_records
from mb_estimators.records.oil import PASCAL
from mb_sensors import SensorError
from mb_sensors.kernel_api import channel_kinds, nothing_record


def oil_records(sensor):
    """Return the measurement records of a sensor; of a pressure, which no motion determines."""
    return nothing_record() if sensor.volume else motion_records(sensor)


def direct_channels(record, mechanism, sensors, pressures, supplies):
    """Write to a HYDRAULIC record which states channels read themselves, and in which unit.

    pressures: the first of them among the states; supplies: name -> state, of logarithms, which
    correct_coupled reads.  Raises SensorError for a pressure that is not among the states.
    """
    independent = [mechanism.coordinates.index(name) for name in mechanism.independent]
    places = {name: pressures + k for k, name in enumerate(mechanism.circuit.volumes)} | supplies
    length, channel = channel_kinds().LINEAR_ENCODER, 0
    record['state_of'] = -1
    for sensor in sensors:
        if sensor.volume:
            if sensor.volume not in places:
                raise SensorError(
                    f'{sensor.name}.volume: {sensor.volume!r} must be one of {", ".join(places)}'
                    + (': the filter takes supplies as the mechanism file has them; hydraulic_ekf '
                       'estimates them, with supply_deviation > 0'
                       if sensor.volume in mechanism.circuit.supplies else ''))
            record['state_of'][channel] = places[sensor.volume]
            record['unit_of'][channel] = PASCAL
        for entry in sensor.records:
            if entry['kind'] == length and entry['coordinate'] in independent:
                record['state_of'][channel] = independent.index(entry['coordinate'])
                record['unit_of'][channel] = 1.0
            channel += 1
        channel += len(sensor.channels) - len(sensor.records)
    record['direct'] = (record['state_of'][:channel] >= 0).all()
