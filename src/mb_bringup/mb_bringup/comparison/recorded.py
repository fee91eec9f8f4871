"""States that a bag holds already: the truth, the model without correction, the live estimate."""

from mb_bringup.accuracy.track import Track
from mb_model.simulation.bag import STATE_TYPE
from mb_sensors.recording.bag import open_bag

TRUTH, MODEL, ESTIMATE = '/prototype/state', '/model_simulation/state', '/{node}/state'


def recorded_tracks(folder, independent, topics):
    """Return {name: Track} of those topics (by name) that a bag has states on.

    independent: names of the degrees of freedom.  Raises OSError, ValueError.
    """
    found = {}
    with open_bag(folder) as bag:
        for name, topic in topics.items():
            if bag.has(topic):
                track = Track(_samples(bag, independent, bag.named(topic, STATE_TYPE)))
                if len(track):
                    found[name] = track
    return found


def _samples(bag, independent, topic):
    for stamp, state in bag.of(topic):
        if tuple(state.independent) != tuple(independent):
            raise ValueError(f'{topic}: degrees of freedom {", ".join(state.independent)}, '
                             f'expected {", ".join(independent)}')
        size = round(len(state.covariance) ** 0.5)
        yield stamp, state.z, state.zd, state.zdd, state.covariance.reshape(size, size)
