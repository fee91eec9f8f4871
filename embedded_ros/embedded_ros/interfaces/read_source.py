"""Source of the function that decodes CDR (XCDR1) into a message class."""
from .layout import HEADER_SIZE, Run, Source, grouped
from .spec import SCALARS, STRINGS


class ReadSource(Source):
    """Writes `def read(data)`, nested messages inlined; order is '<' (little endian) or '>'."""

    def __init__(self, spec, message_spec, order='<'):
        super().__init__('R')
        self.message_spec, self.order = message_spec, order
        self.run, self.position = Run(), HEADER_SIZE  # position None: it is in the variable p
        self.after = []  # lines to emit once the run is read
        self._message(spec, 'm0')
        self._flush()
        if self.position is None:
            self.emit('if p > len(data): raise EOFError')
        self.emit('return m0')

    def text(self):
        return '\n'.join([*self.constants(), 'def read(data):', *self.lines, ''])

    def _message(self, spec, variable):
        self.emit(f'{variable} = new({class_variable(spec.name)})')
        self.emit(f'{variable}._check_fields = CHECK_FIELDS')
        if not spec.fields:
            self._add('B', 1, 1, '_')
        for fields in grouped(spec.fields):
            targets = [f'{variable}._{field.attribute}' for field in fields]
            if len(fields) > 1 and self.order == '<':
                self._numbers([field.type for field in fields], targets)
                continue
            for field, target in zip(fields, targets, strict=True):
                if field.type.container == 'array':
                    self._array(field.type, target)
                elif field.type.container == 'sequence':
                    self._sequence(field.type, target)
                else:
                    self._single(field.type, target)

    def _single(self, kind, target):
        if kind.is_message:
            variable = self.name('m')
            self._message(self.message_spec(kind.element), variable)
            self.emit(f'{target} = {variable}')
        elif kind.element in STRINGS:
            self._string(kind.element, target)
        else:
            _, code, size = SCALARS[kind.element]
            self._add(code, size, size, target)

    def _string(self, element, target):
        count = self._count()
        if element == 'string':
            self.emit(f'q = p + {count}')
            self.emit(f"{target} = str(data[p:q - 1], 'utf-8', 'replace')")
            self.run.forget()
        else:
            self.emit(f'q = p + 4 * {count}')
            self.emit(f"{target} = narrow(data[p:q], '{self.order}')")
            self.run.forget(4)
        self.emit('p = q')

    def _array(self, kind, target):
        if kind.is_numeric:
            _, code, size = SCALARS[kind.element]
            raw, length = self.name('s'), kind.size * size
            dtype = self.struct(f"dtype('{self.order}{code}')")
            native = f".astype('{code}')" if self.order == '>' else ''
            self._add(f'{length}s', size, length, raw)
            self.after.append(
                f'{target} = ndarray({kind.size}, {dtype}, bytearray({raw})){native}')
        elif kind.element in SCALARS:
            names = [self.name('s') for _ in range(kind.size)]
            self._add(SCALARS[kind.element][1] * kind.size, 1, kind.size, ', '.join(names))
            self.after.append(f'{target} = [{", ".join(names)}]')
        else:
            self._loop(kind, target, str(kind.size))

    def _strings(self, kind, target):
        """A sequence of strings; mostly it is the same as in the message before."""
        self._flush()
        self._use_variable()
        known = self.memory("(b'\\xff\\xff\\xff\\xff', [])")
        raw, begin = self.name('s'), self.name('p')
        self.emit('p += 4 - p & 3')
        self.emit(f'{raw} = {known}[0]')
        self.emit(f'if data.startswith({raw}[0], p):')
        self.emit(f'    {target} = {raw}[1].copy()')
        self.emit(f'    p += len({raw}[0])')
        self.emit('else:')
        self.depth += 1
        self.emit(f'{begin} = p')
        self.run.forget(4)
        self._loop(kind, target, self._count())
        self.emit(f'if p <= len(data): {known}[0] = data[{begin}:p], {target}.copy()')
        self.depth -= 1
        self.run.forget()

    def _numbers(self, kinds, targets):
        """Sequences of numbers in a row; mostly they are as long as in the message before."""
        self._flush()
        self._use_variable()
        known = self.memory('(-1, 0, None, None)')
        shape, values, begin = self.name('s'), self.name('v'), self.name('p')
        self.emit('p += 4 - p & 3')
        self.emit(f'{shape} = {known}[0]')
        self.emit(f'if p & 7 == {shape}[0] and p + {shape}[1] <= len(data) and '
                  f'({values} := {shape}[2](data, p))[::2] == {shape}[3]:')
        for place, (kind, target) in enumerate(zip(kinds, targets, strict=True)):
            code = SCALARS[kind.element][1]
            self.emit(f"    {target} = array('{code}', {values}[{2 * place + 1}])")
        self.emit(f'    p += {shape}[1]')
        self.emit('else:')
        self.depth += 1
        self.emit(f'{begin} = p')
        self.run.forget(4)
        counts = ', '.join([self._sequence(*pair) for pair in zip(kinds, targets, strict=True)])
        sizes = tuple(SCALARS[kind.element][2] for kind in kinds)
        self.emit(f'if p <= len(data): '
                  f'{known}[0] = read_shape({begin} & 7, {sizes}, ({counts}))')
        self.depth -= 1
        self.run.forget()

    def _sequence(self, kind, target):
        """A sequence; gives the name of its length, unless it is one of strings."""
        if kind.element == 'string':
            self._strings(kind, target)
            return None
        count = self._count()
        if kind.element not in SCALARS:
            self._loop(kind, target, count)
            return count
        _, code, size = SCALARS[kind.element]
        if size == 8:
            self.emit(f'if {count}: p += 4 - p & 7')
        self.emit(f'q = p + {count} * {size}' if size > 1 else f'q = p + {count}')
        if kind.element == 'bool':
            self.emit(f'{target} = [x != 0 for x in data[p:q]]')
        elif kind.element == 'byte':
            self.emit(f'{target} = [bytes((x,)) for x in data[p:q]]')
        else:
            self.emit(f"{target} = array('{code}', data[p:q])")
            if self.order == '>':
                self.emit(f'{target}.byteswap()')
        self.emit('p = q')
        self.run.forget(min(size, 4))
        return count

    def _loop(self, kind, target, count):
        self._flush()
        self._use_variable()
        items, item = self.name('v'), self.name('x')
        self.emit(f'{items} = []')
        self.emit(f'for _ in repeat(None, {count}):')
        self.depth += 1
        self.run.forget()
        if kind.is_message:
            self._message(self.message_spec(kind.element), item)
        else:
            self._string(kind.element, item)
        self._flush()
        self.emit(f'{items}.append({item})')
        self.depth -= 1
        self.run.forget()
        self.emit(f'{target} = {items}')

    def _count(self):
        """Read a length; after it the position is in p."""
        count = self.name('n')
        self._add('I', 4, 4, count)
        self._flush()
        self._use_variable()
        return count

    def _add(self, code, alignment, length, target):
        if not self.run.fits(alignment):
            self._flush()
        self.run.add(code, alignment, length, target)

    def _use_variable(self):
        if self.position is not None:
            self.emit(f'p = {self.position}')
            self.position = None

    def _flush(self):
        run = self.run
        if run.parts:
            unpack = self.struct(f"Struct('{self.order}{run.format}').unpack_from")
            if run.align > 1:
                self.emit(f'p += 4 - p & {run.align - 1}')
            position = 'p' if self.position is None else self.position
            self.emit(f'{", ".join(run.parts)}, = {unpack}(data, {position})')
            if self.position is None:
                self.emit(f'p += {run.size}')
            else:
                self.position += run.size
            run.clear()
        for line in self.after:
            self.emit(line)
        self.after.clear()


def class_variable(name):
    """Name of a message class in generated code: 'std_msgs__msg__Header'."""
    return name.replace('/', '__')
