"""A LiveServer in a process of its own: a fault in one of Rerun's threads ends the whole process.

Answers each line of standard input by one of standard output, JSON, and ends with the input:
`ports`, `problem`, or `log MB` (superfluous points), answered by the memory that it and its
processes hold then [MB].
"""

import json
import os
import sys

import numpy as np

from mb_evaluation.live import server
from mb_ros.process_tree import descendants, memory

CLOUD = 0.12            # one cloud of points [MB]


def main(address, web_port, *names):
    """Serve until the input ends."""
    live = server.LiveServer(None, address, int(web_port), 16.0, names)
    live.recording.set_time('time', duration=1.5)
    live.recording.log('motion/theta', server.rerun().Scalars(0.25))
    live.recording.flush()
    cloud = server.rerun().Points3D(np.zeros((10_000, 3)))
    answers = {
        'ports': lambda: {'page': live.port, 'data': live._servers.url}, 'problem': live.problem,
        'log': lambda: sum(map(memory, [os.getpid(), *descendants(os.getpid())]))}
    for line in sys.stdin:
        word, *megabytes = line.split()
        for _ in range(round(float(*megabytes) / CLOUD) if megabytes else 0):
            live.recording.log('cloud', cloud)
        if megabytes:
            live.recording.flush()
        print(json.dumps(answers[word]()), flush=True)
    live.close()


if __name__ == '__main__':
    main(*sys.argv[1:])
