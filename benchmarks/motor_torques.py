"""What motor_torque sensors read of the torques of a run."""

import numpy as np

from mb_sensors import SensorNoise, sensors_of


def motor_torques(mechanism, torques, seed, rated, drawn_scale, **of_rated):
    """Return readings (k, d) of torques (k, d) [N m].

    rated: of each drive (d) [N m]; drawn_scale: deviation of the gain; of_rated: sigma, drawn_bias
    and the like, as shares of the rated torque.
    """
    numbers, found = np.arange(len(torques)), []
    for drive, largest, column in zip(mechanism.drives, rated, torques.T, strict=True):
        motor = mechanism.replace(sensors={'motor': {
            'kind': 'motor_torque', 'drive': drive, 'rate': 1000.0, 'drawn_scale': drawn_scale,
            **{name: share * largest for name, share in of_rated.items()}}})
        settings = sensors_of(motor, ['motor'])[0].settings
        found.append(SensorNoise(settings, seed, f'motor of {drive}').readings(
            numbers, column[:, None]))
    return np.hstack(found)
