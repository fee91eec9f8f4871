"""Profiles in the shape of rmw_qos_profile_t, which is how rclpy's C extension shows them."""


class rmw_qos_profile_t:
    """The policies of a profile in the order of its constructor."""

    _NAMES = ('history', 'depth', 'reliability', 'durability', 'lifespan', 'deadline',
              'liveliness', 'liveliness_lease_duration', 'avoid_ros_namespace_conventions')

    def __init__(self, *values):
        if len(values) != len(self._NAMES):
            raise TypeError(f'expected {len(self._NAMES)} policies, got {len(values)}')
        self._values = dict(zip(self._NAMES, values, strict=True))

    @classmethod
    def predefined(cls, name):
        """The ready-made profile of this name in rclpy.qos; ValueError for an unknown one."""
        from rclpy import qos
        profile = getattr(qos, name, None)
        if not isinstance(profile, qos.QoSProfile):
            raise ValueError(f"Requested invalid predefined QoS profile name '{name}'")
        return profile.get_c_qos_profile()

    def to_dict(self):
        """Keyword arguments for a QoSProfile."""
        return dict(self._values)
