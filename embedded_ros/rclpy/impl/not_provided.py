"""What embedded_ros leaves out of the ROS 2 API is refused by name."""


def not_provided(feature):
    """Raise NotImplementedError naming the feature."""
    raise NotImplementedError(f'embedded_ros does not provide {feature}')
