"""Source of the function that encodes a message class as CDR (XCDR1, little endian)."""
from .layout import HEADER_SIZE, Run, Source, grouped
from .spec import SCALARS, STRINGS


class WriteSource(Source):
    """Writes `def write(m0)`, nested messages inlined; message_spec(name) gives their specs."""

    def __init__(self, spec, message_spec):
        super().__init__('W')
        self.message_spec = message_spec
        self.run, self.started = Run(), False
        self._message(spec, 'm0')
        if self.started:
            self._flush()
            self.emit('return bytes(b)')
        else:
            pack = self.struct(f"Struct('<xBxx{self.run.format}').pack")
            self.emit(f'return {pack}({", ".join(["1", *self.run.parts])})')

    def text(self):
        return '\n'.join([*self.constants(), 'def write(m0):', *self.lines, ''])

    def _message(self, spec, variable):
        if not spec.fields:
            self._add('B', 1, 1, '0')
        for field, *others in grouped(spec.fields):
            expression = f'{variable}._{field.attribute}'
            if others:
                self._numbers(variable, [field, *others])
            elif field.type.container == 'array':
                self._array(field.type, expression)
            elif field.type.container == 'sequence':
                self._sequence(field.type, expression)
            else:
                self._single(field.type, expression)

    def _single(self, kind, expression):
        if kind.is_message:
            variable = self.name('m')
            self.emit(f'{variable} = {expression}')
            self._message(self.message_spec(kind.element), variable)
        elif kind.element in STRINGS:
            self._string(kind.element, expression)
        else:
            _, code, size = SCALARS[kind.element]
            self._add(code, size, size, expression)

    def _string(self, element, expression):
        variable = self.name('s')
        if element == 'string':
            self.emit(f'{variable} = encode({expression})')
            self._add('I', 4, 4, f'len({variable}) + 1')
            self._flush()
            self.emit(f'b += {variable}')
            self.emit('b.append(0)')
            self.run.forget()
        else:
            self.emit(f'{variable} = widen({expression})')
            self._add('I', 4, 4, f'len({variable})')
            self._flush()
            self.emit(f'b += {variable}')
            self.run.forget(4)

    def _array(self, kind, expression):
        if kind.is_numeric:
            _, _, size = SCALARS[kind.element]
            variable, length = self.name('a'), kind.size * size
            self.emit(f'{variable} = {expression}')
            self.emit(f'if {variable}.nbytes != {length}: raise WrongLength')
            self._add(f'{length}s', size, length, f'{variable}.tobytes()')
        elif kind.element in SCALARS:
            self._add(SCALARS[kind.element][1] * kind.size, 1, kind.size, f'*{expression}')
        else:
            self._begin()
            self.emit(f'if len({expression}) != {kind.size}: raise WrongLength')
            self._loop(kind, expression)

    def _strings(self, kind, expression):
        """A sequence of strings; mostly it is the same as in the message before."""
        self._begin()
        known = self.memory('(None, None)')
        variable, begin, raw = self.name('v'), self.name('p'), self.name('s')
        self.emit(f'{variable} = {expression}')
        self.emit('b += PADDING[len(b) & 3]')
        self.emit(f'{raw} = {known}[0]')
        self.emit(f'if type({variable}) is list and {variable} == {raw}[0]: b += {raw}[1]')
        self.emit('else:')
        self.depth += 1
        self.emit(f'{begin} = len(b)')
        self.run.forget(4)
        self._add('I', 4, 4, f'len({variable})')
        self._loop(kind, variable)
        self.emit(f'{known}[0] = list({variable}), bytes(b[{begin}:])')
        self.depth -= 1
        self.run.forget()

    def _numbers(self, variable, fields):
        """Sequences of numbers in a row; mostly they are as long as in the message before."""
        self._begin()
        known = self.memory('(-1, (), ())')
        shape, counts = self.name('s'), self.name('n')
        arrays, heads = [[self.name(letter) for _ in fields] for letter in 'vh']
        for name, field in zip(arrays, fields, strict=True):
            self.emit(f'{name} = {variable}._{field.attribute}')
        sizes = tuple(SCALARS[field.type.element][2] for field in fields)
        self.emit(f'{counts} = {", ".join([f"len({name})" for name in arrays])}')
        self.emit(f'{shape} = {known}[0]')
        self.emit(f'if len(b) & 7 != {shape}[0] or {counts} != {shape}[1]:')
        self.emit(f'    {shape} = {known}[0] = write_shape(len(b) & 7, {sizes}, {counts})')
        self.emit(f'{", ".join(heads)} = {shape}[2]')
        parts = [name for pair in zip(heads, arrays, strict=True) for name in pair]
        self.emit(f'b += join(({", ".join(parts)}))')
        self.run.forget()

    def _sequence(self, kind, expression):
        if kind.element == 'string':
            self._strings(kind, expression)
            return
        variable = self.name('v')
        self.emit(f'{variable} = {expression}')
        self._add('I', 4, 4, f'len({variable})')
        self._flush()
        if kind.is_numeric:
            _, _, size = SCALARS[kind.element]
            if size == 8:
                self.emit(f'if {variable} and len(b) & 7 != 4: b += ZEROS')
            self.emit(f'b += {variable}')
            self.run.forget(min(size, 4))
        elif kind.element == 'bool':
            self.emit(f'b += bytes([1 if x else 0 for x in {variable}])')
            self.run.forget()
        elif kind.element == 'byte':
            joined = self.name('s')
            self.emit(f"{joined} = b''.join({variable})")
            self.emit(f'if len({joined}) != len({variable}): raise WrongLength')
            self.emit(f'b += {joined}')
            self.run.forget()
        else:
            self._loop(kind, variable)

    def _loop(self, kind, expression):
        item = self.name('x')
        self._begin()
        self.emit(f'for {item} in {expression}:')
        self.depth += 1
        self.run.forget()
        if kind.is_message:
            self._message(self.message_spec(kind.element), item)
        else:
            self._string(kind.element, item)
        self._flush()
        self.depth -= 1
        self.run.forget()

    def _add(self, code, alignment, length, expression):
        if not self.run.fits(alignment):
            self._flush()
        self.run.add(code, alignment, length, expression)

    def _begin(self):
        """Have the buffer b hold everything so far."""
        self._flush()
        if not self.started:
            self.emit("b = bytearray(b'\\0\\1\\0\\0')")
            self.started = True

    def _flush(self):
        run = self.run
        if not run.parts:
            return
        arguments = ', '.join(run.parts)
        if not self.started:
            pack = self.struct(f"Struct('<xBxx{run.format}').pack")
            self.emit(f'b = bytearray({pack}(1, {arguments}))')
            self.started = True
        elif run.align > 1:
            table = self.struct(f'aligned({run.align}, {run.format!r})')
            self.emit(f'b += {table}[len(b) & {run.align - 1}]({arguments})')
        else:
            pack = self.struct(f"Struct('<{run.format}').pack")
            self.emit(f'b += {pack}({arguments})')
        run.clear()


def aligned_packs(alignment, code, struct):
    """Packing functions that pad first, by the length of the buffer modulo the alignment."""
    return tuple(struct('<' + 'x' * ((HEADER_SIZE - length) % alignment) + code).pack
                 for length in range(alignment))
