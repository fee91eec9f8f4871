"""How compiled functions see the records of jit.records: a pointer, and fields by a table.

One number of a record is loaded from its offset, which is the same in all records of a type.  An
array begins where the table at the start of the record says, and has the lengths that are there.
The table never changes, and LLVM knows: it reads an entry once for all uses of a field.

This uses the public means of numba for types of one's own.
"""

from ctypes import c_void_p
import operator

from llvmlite import ir
from numba import types
from numba.core.imputils import (
    lower_builtin,
    lower_getattr,
    lower_getattr_generic,
    lower_setattr_generic,
)
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import (
    NativeValue,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array
import numpy as np

from mb_model.jit.records import Record, RecordArray, RecordPointer, record_type_of

_WORD = 8
_BYTE, _INTEGER, _REAL = ir.IntType(8), ir.IntType(64), ir.DoubleType()
# Where numpy's C interface has things: the data and shape of an array, the data of a record.
_DATA, _SHAPE, _RECORD_DATA = 16, 32, 24


def _require_offsets() -> None:
    """Raise ImportError where this Python or numpy has them elsewhere."""
    array = np.zeros(3, [('number', np.float64)])
    record = array[1]
    shape, strides = (c_void_p.from_address(id(array) + offset).value
                      for offset in (_SHAPE, _SHAPE + _WORD))
    stored = (c_void_p.from_address(id(array) + _DATA).value,
             c_void_p.from_address(id(record) + _RECORD_DATA).value,
             c_void_p.from_address(shape).value, c_void_p.from_address(strides).value)
    start = array.ctypes.data
    if stored != (start, start + _WORD, *array.shape, *array.strides):
        raise ImportError(f'numpy {np.__version__} stores arrays otherwise than kernels expect')


_require_offsets()


_type_of_array = typeof_impl.dispatch(np.ndarray)


@typeof_impl.register(np.ndarray)
def _type_of_records(array, context):
    """Return the type of an array: records of ours have their own, the others numba's."""
    if not issubclass(array.dtype.type, Record):
        return _type_of_array(array, context)
    if not array.flags.c_contiguous or array.ndim != 1:
        raise TypeError('records for compiled functions stand one behind the other')
    return record_type_of(array).array


@typeof_impl.register(Record)
def _type_of_record(record, _):
    return record_type_of(record).pointer


@register_model(RecordPointer)
class _PointerModel(models.OpaqueModel):
    pass


@register_model(RecordArray)
class _ArrayModel(models.StructModel):
    def __init__(self, manager, own):
        super().__init__(manager, own, [('data', types.voidptr), ('count', types.intp),
                                        ('bytes', types.intp)])


@unbox(RecordPointer)
def _unbox_record(_, thing, c):
    return NativeValue(_load(c.builder, thing, _RECORD_DATA, _BYTE.as_pointer()))


@unbox(RecordArray)
def _unbox_records(own, thing, c):
    builder, data = c.builder, _load(c.builder, thing, _DATA, _BYTE.as_pointer())
    shape = _load(builder, thing, _SHAPE, _BYTE.as_pointer())
    strides = _load(builder, thing, _SHAPE + _WORD, _BYTE.as_pointer())
    parts = (data, _load(builder, shape, 0, _INTEGER), _load(builder, strides, 0, _INTEGER))
    value = ir.Constant(c.context.get_value_type(own), ir.Undefined)
    for index, part in enumerate(parts):
        value = builder.insert_value(value, part, index)
    return NativeValue(value)


@infer_getattr
class _Fields(AttributeTemplate):
    key = RecordPointer

    def generic_resolve(self, pointer, name):
        return pointer.type_of(name)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = RecordArray

    def resolve_size(self, _):
        return types.intp


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], RecordArray) and isinstance(args[1], types.Integer):
            return signature(args[0].dtype, args[0], types.intp)
        return None


@infer_global(len)
class _Count(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.intp, *args) if isinstance(args[0], RecordArray) else None


@lower_getattr_generic(RecordPointer)
def _get(context, builder, own, record, name):
    real, where, *lengths = own.fields[name]
    number = _REAL if real else _INTEGER
    if not lengths:
        return _load(builder, record, where, number)
    data = builder.gep(record, [_entry(builder, record, where)])
    shape = [_entry(builder, record, length) if varies else ir.Constant(_INTEGER, length)
             for varies, length in lengths[0]]
    strides, stride = [], ir.Constant(_INTEGER, _WORD)
    for length in reversed(shape):
        strides.insert(0, stride)
        stride = builder.mul(stride, length, flags=['nsw'])
    kind = own.type_of(name)
    array = make_array(kind)(context, builder)
    populate_array(array, data=builder.bitcast(data, number.as_pointer()), shape=shape,
                   strides=strides, itemsize=ir.Constant(_INTEGER, _WORD), meminfo=None)
    return array._getvalue()


@lower_setattr_generic(RecordPointer)
def _set(context, builder, signature_, args, name):
    (own, kind), (record, value) = signature_.args, args
    real, offset, *lengths = own.fields[name]
    if lengths:
        raise TypeError(f'{own}.{name}: is an array; write into {name}[:]')
    number = types.float64 if real else types.int64
    value = context.cast(builder, value, kind, number)
    builder.store(value, _at(builder, record, offset, _REAL if real else _INTEGER))


@lower_builtin(operator.getitem, RecordArray, types.Integer)
def _item(context, builder, signature_, args):
    records, index = args
    step = builder.extract_value(records, 2)
    return builder.gep(builder.extract_value(records, 0), [builder.mul(step, index)])


@lower_builtin(len, RecordArray)
def _count(context, builder, signature_, args):
    return builder.extract_value(args[0], 1)


@lower_getattr(RecordArray, 'size')
def _size(context, builder, own, records):
    return builder.extract_value(records, 1)


def _at(builder: ir.IRBuilder, base: ir.Value, offset: int, kind: ir.Type) -> ir.Value:
    """Return a pointer to what is that many bytes behind a base."""
    address = builder.gep(base, [ir.Constant(_INTEGER, offset)])
    return builder.bitcast(address, kind.as_pointer())


def _load(builder: ir.IRBuilder, base: ir.Value, offset: int, kind: ir.Type) -> ir.Value:
    return builder.load(_at(builder, builder.bitcast(base, _BYTE.as_pointer()), offset, kind))


def _entry(builder: ir.IRBuilder, record: ir.Value, index: int) -> ir.Value:
    """Return an entry of the table of a record."""
    value = _load(builder, record, _WORD * index, _INTEGER)
    value.set_metadata('invariant.load', builder.module.add_metadata([]))
    return value
