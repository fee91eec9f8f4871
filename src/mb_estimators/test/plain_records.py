"""Records of filters without a filter, for tests of single kernels."""


def plain_record(record_type, g, states, channels=0, biases=0, parameters=0):
    """Return one record of g degrees of freedom; its states are as many as a filter gives them."""
    return record_type.of({'coordinates': 4 * g, 'independent': g, 'states': -(-states // 4) * 4,
                           'channels': channels, 'biases': biases, 'parameters': parameters})
