"""What the writing and the reading of CDR have in common: runs of scalars and their alignment.

CDR aligns every scalar to its own size (at most 8), counted from after the 4-byte header; code
counts positions from the header on, so that 8-byte values lie at 4 modulo 8. Scalars are gathered
into runs, each handled by one struct call. Where a position is known modulo the alignment the
padding is part of the struct format, elsewhere it is found while running.
"""
HEADER_SIZE = 4


class Run:
    """Scalars that follow each other, and what is known about where they lie.

    The position after the header is residue modulo modulus; modulus 1 means nothing is known.
    """

    def __init__(self):
        self.modulus, self.residue = 8, 0
        self.clear()

    def clear(self):
        self.format, self.size, self.parts, self.align = '', 0, [], 1

    def forget(self, modulus=1):
        """Something of unknown length was passed: the position is a multiple of modulus."""
        self.modulus, self.residue = modulus, 0

    def fits(self, alignment):
        """Whether a value of this alignment can join the run."""
        return alignment <= self.modulus or not self.parts

    def add(self, code, alignment, length, part):
        """Append a value: its struct code, alignment and length in bytes; part says what it is."""
        if alignment > self.modulus:  # first of the run: aligned while running
            self.align, self.modulus, self.residue = alignment, alignment, 0
        padding = -self.residue % alignment
        self.format += 'x' * padding + code
        self.size += padding + length
        self.residue = (self.residue + padding + length) % self.modulus
        self.parts.append(part)


def grouped(fields):
    """Lists of the fields in order: each alone, sequences of numbers in a row together."""
    groups = []
    for field in fields:
        if groups and field.type.is_numbers and groups[-1][0].type.is_numbers:
            groups[-1].append(field)
        else:
            groups.append([field])
    return groups


class Source:
    """Lines of Python being written, and the struct objects they use."""

    def __init__(self, prefix):
        self.lines, self.depth, self.names = [], 1, 0
        self.prefix, self.structs, self.memories = prefix, {}, {}

    def emit(self, line):
        self.lines.append('    ' * self.depth + line)

    def name(self, letter):
        self.names += 1
        return f'{letter}{self.names}'

    def struct(self, expression):
        """Name of the module constant that holds this expression."""
        return self.structs.setdefault(expression, f'{self.prefix}{len(self.structs)}')

    def memory(self, initial):
        """Name of a new module list of one item: what is kept from message to message."""
        name = f'{self.prefix}M{len(self.memories)}'
        self.memories[name] = f'[{initial}]'
        return name

    def constants(self):
        return [f'{name} = {expression}' for expression, name in self.structs.items()] + [
            f'{name} = {initial}' for name, initial in self.memories.items()]
