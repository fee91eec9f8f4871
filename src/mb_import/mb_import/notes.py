"""What importing a description changed, guessed or left out: one line for each item."""

from dataclasses import dataclass, field

from mb_model import MechanismError

CHANGED, GUESSED, LEFT_OUT = 'changed', 'guessed', 'left out'


@dataclass(frozen=True)
class Note:
    """One of them; item: the element of the description, such as `joint knee`."""

    what: str            # CHANGED, GUESSED or LEFT_OUT
    item: str
    reason: str

    def __str__(self) -> str:
        return f'{self.what}: {self.item}: {self.reason}'


@dataclass
class Notes:
    """The notes about a description; file: its name in messages."""

    file: str
    strict: bool = False         # whether leaving something out is an error
    notes: list[Note] = field(default_factory=list)
    _known: set[Note] = field(default_factory=set, repr=False)

    def changed(self, item: str, reason: str) -> None:
        """Note that an item means something else than it says."""
        self._add(CHANGED, item, reason)

    def guessed(self, item: str, reason: str) -> None:
        """Note what an item is taken for, which the description does not say."""
        self._add(GUESSED, item, reason)

    def left_out(self, item: str, reason: str) -> None:
        """Note that an item is left out; raises MechanismError if that is an error."""
        self._add(LEFT_OUT, item, reason)
        if self.strict:
            raise self.error(item, f'{reason}; left out, which import.strict forbids')

    def error(self, item: str, reason: str) -> MechanismError:
        """Return the error of an item that is wrong."""
        return MechanismError(f'{self.file}: {item}: {reason}')

    def _add(self, what: str, item: str, reason: str) -> None:
        note = Note(what, item, reason)
        if note not in self._known:
            self._known.add(note)
            self.notes.append(note)
