"""How the memory of every process of a launched run grows."""

import numpy as np

from mb_ros.process_tree import descendants, memory, node_names

WARM = 30.0         # time after which memory is to stay as it is [s]


class MemoryWatch:
    """Sizes of the processes with nodes below one, by the names of these."""

    def __init__(self, process):
        """Set up for the process id of a launch."""
        self._launch = process
        self._sizes = {}            # name and process id -> [(time [s], size [MB])]

    def look(self, now):
        """Note the sizes at a time [s]."""
        for process in descendants(self._launch):
            try:
                size, name = memory(process), node_names(process)
            except (OSError, IndexError):       # has just ended
                continue
            if name:
                self._sizes.setdefault((name, process), []).append((now, size))

    def growth(self):
        """Return {name and process id: (size at the end [MB], growth since it was warm [MB])}.

        Warm is after WARM, or a third of what was seen of a process if that is less.
        """
        found = {}
        for (name, process), pairs in self._sizes.items():
            t, size = np.array(pairs).T
            warm = t >= t[0] + min(WARM, (t[-1] - t[0]) / 3.0)
            found[f'{name} ({process})'] = size[-1], size[warm].max() - size[warm][0]
        return found
