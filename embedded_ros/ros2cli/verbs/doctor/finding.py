"""What an examination found."""
from dataclasses import dataclass, field


@dataclass
class Section:
    """A heading of the report and the (name, value) pairs below it."""

    heading: str
    items: list = field(default_factory=list)

    def add(self, *items):
        """Add (name, value) pairs."""
        self.items += items

    def __str__(self):
        width = max((len(name) for name, _ in self.items), default=0) + 4
        lines = [f'{name:<{width}}: {value}' for name, value in self.items]
        return '\n'.join(['', f'   {self.heading}', *lines])


@dataclass
class Finding:
    """Sections of the report, and what is wrong (errors) or strange (warnings), as sentences."""

    sections: list
    errors: list = field(default_factory=list)
    warnings: list = field(default_factory=list)
