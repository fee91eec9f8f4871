"""A LiveServer in a process of its own: a fault in one of Rerun's threads ends the whole process.

Answers each line of standard input by one of standard output, JSON, and ends with the input:
`ports`, or `log MB` (points that nobody needs), answered by the memory that it holds then [MB].
"""

import json
import os
import sys

import numpy as np

from mb_bringup.live import server

CLOUD = 0.12            # one cloud of points [MB]


def main(web_port, data_port):
    """Serve until the input ends."""
    live = server.LiveServer(None, int(web_port), int(data_port), memory=16.0)
    live.recording.set_time('time', duration=1.5)
    live.recording.log('motion/theta', server.rerun().Scalars(0.25))
    live.recording.flush()
    cloud = server.rerun().Points3D(np.zeros((10_000, 3)))
    for line in sys.stdin:
        word, *megabytes = line.split()
        for _ in range(round(float(*megabytes) / CLOUD) if megabytes else 0):
            live.recording.log('cloud', cloud)
        live.recording.flush()
        print(json.dumps(live.ports if word == 'ports' else resident()), flush=True)
    live.close()


def resident():
    """Return the memory of this process [MB]."""
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE') / 1e6


if __name__ == '__main__':
    main(*sys.argv[1:])
