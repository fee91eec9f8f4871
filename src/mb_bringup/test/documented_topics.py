"""The tables of docs/reference/topics.md: topics, their kinds of content, nodes of launch files."""

from dataclasses import dataclass
from pathlib import Path
import re

PAGE = Path(__file__).parents[3] / 'docs/reference/topics.md'
SENSOR, NODE = '<topic of a sensor>', '<node>'     # what stands for many names
EVERY = 'every node'
USUAL = 'TL'         # of a node without letters
_ENTRY = re.compile(rf'(?:`(\w+)`|({EVERY}))((?: (?:TL|R|BE)\b)*)')


@dataclass(frozen=True)
class Row:
    """A topic or a pattern of topics, and its ends: (node, short name of a QoS)."""

    kind: str
    topic: str
    type: str
    publishers: frozenset
    readers: frozenset

    def is_of(self, topic, sensors):
        """Return whether a topic is meant; sensors: topics of the sensors of a run."""
        names = {SENSOR: '|'.join(map(re.escape, sensors)) or '(?!)', NODE: r'\w+'}
        pattern = ''.join(f'({names[part]})' if part in names else re.escape(part)
                          for part in re.split(f'({SENSOR}|{NODE})', self.topic))
        return re.fullmatch(pattern, topic) is not None

    def ends(self, publishes):
        """Return the documented publishers or readers."""
        return self.publishers if publishes else self.readers


def _ends(cell):
    return frozenset((node or every, short) for node, every, qos in _ENTRY.findall(cell)
                     for short in (qos or USUAL).split())


def _cells():
    """Yield (heading, cells) of every line of a table."""
    heading = ''
    for line in PAGE.read_text(encoding='utf-8').splitlines():
        if line.startswith('## '):
            heading = line[3:]
        elif line.startswith('| `'):
            yield heading, [cell.strip() for cell in line.strip('|').split('|')]


def documented_topics():
    """Return the Rows of all topics."""
    return [Row(kind, cells[0].strip('`'), '' if cells[1].startswith('by its') else cells[1],
                _ends(cells[2]), _ends(cells[3]))
            for kind, cells in _cells() if cells[0].startswith('`/') and len(cells) == 5]


def documented_nodes():
    """Return {launch file: names of its nodes}."""
    return {cells[0].strip('`'): set(re.findall(r'`(\w+)`', cells[1]))
            for kind, cells in _cells() if kind == 'Nodes of launch files'}
