"""Motors of a run: sensors that read the torque of every drive of a machine by its current."""

KIND = 'motor_torque'
TOPIC = 'motor_torques'


def with_motors(mechanism, gain, offset, noise, rate):
    """Return (Mechanism, names of its motors): one on each drive, unless its file has some.

    gain: largest relative error; offset: largest one; noise: deviation of a reading [N or N m];
    rate: of readings [Hz].
    """
    own = tuple(name for name, entry in mechanism.sensors.items() if entry.get('kind') == KIND)
    if own:
        return mechanism, own
    errors = {'sigma': noise, 'drawn_scale': gain, 'drawn_bias': offset, 'rate': rate}
    motors = {f'motor_{drive.replace(".", "_")}': {
        'kind': KIND, 'drive': drive, 'topic': TOPIC, **errors} for drive in mechanism.drives}
    return mechanism.replace(sensors=motors), tuple(motors)
