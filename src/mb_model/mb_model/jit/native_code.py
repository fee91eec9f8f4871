"""Machine code of compiled functions that needs neither Python nor numba.

The functions, and all separate kernels that they reach, become one module of LLVM, of which nothing
can be called from outside but these functions, by names of one's own.  LLVM's code is the one that
runs here, not optimised anew, so that numbers are the same.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Any

import llvmlite.binding as llvm

from mb_model.jit.rare import COMPILE, UNMET, rare_code
from mb_model.jit.separate import separate_code

# What compiled code may call, beside intrinsics of LLVM: the mathematics of C.
_MATHEMATICS = frozenset((
    'acos', 'asin', 'atan', 'atan2', 'cbrt', 'cos', 'cosh', 'erf', 'exp', 'expm1', 'floor', 'fmod',
    'frexp', 'hypot', 'ldexp', 'log', 'log1p', 'log2', 'memcpy', 'memmove', 'memset', 'pow', 'rint',
    'sin', 'sinh', 'sqrt', 'tan', 'tanh'))
_OF_NUMBA = {'numba_frexp': 'frexp', 'numba_ldexp': 'ldexp'}
# Memory of numba's arrays is counted, which is an instruction of one processor; arrays of a caller
# in C are not, so that no counter ever comes to its end.
_UNCOUNTED = 'NRT_MemInfo_call_dtor'
_COUNTING = re.compile(r'(?:tail )?call (?:noundef )?i8 @llvm\.x86\.atomic\.\w+\.cc\.i64\(')


@dataclass(frozen=True)
class Target:
    """What machine code is for: LLVM's triple, processor and its features."""

    triple: str
    cpu: str
    features: str = ''

    @classmethod
    def here(cls) -> 'Target':
        """Return the target of this machine."""
        return cls(llvm.get_process_triple(), llvm.get_host_cpu_name(),
                   llvm.get_host_cpu_features().flatten())


def native_object(functions: Mapping[str, Any], data: Mapping[str, bytes], target: Target) -> bytes:
    """Return an object file of functions and constants.

    functions: symbol -> what numba compiled; data: symbol -> bytes, from 64 bytes to 64 bytes.

    Raises NotImplementedError where code needs what is not there without Python.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3, reloc='pic', codemodel='small')
    module = _linked(functions, machine)
    module.link_in(llvm.parse_assembly('\n'.join(map(_constant, data, data.values()))))
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return machine.emit_object(module)


def _constant(symbol: str, value: bytes) -> str:
    """Return LLVM's text of a constant."""
    text = ''.join(f'\\{byte:02X}' for byte in value)
    return f'@"{symbol}" = constant [{len(value)} x i8] c"{text}", align 64'


def _linked(functions: Mapping[str, Any], machine: Any) -> Any:
    """Return a module of functions and all that they reach."""
    modules, cells, waiting, seen = [], [], list(functions.items()), set(functions)
    while waiting:
        symbol, compiled = waiting.pop()
        module = _alone(compiled, symbol, machine)
        modules.append(module)
        for name in _declared(module) - seen:
            seen.add(name)
            code = separate_code(name)
            if code is not None:
                waiting.append((name, code))
            elif name.endswith('.cell'):
                code = rare_code(name)
                cells.append((name, code is not None))
                if code is not None:
                    waiting.append((f'{name}.code', code))
    whole = llvm.parse_assembly(_cells(cells))
    for module in modules:
        whole.link_in(module)
    _hide(whole, functions, machine)
    text = _COUNTING.sub('call i8 @uncounted(', str(whole))
    whole = llvm.parse_assembly(f'{text}\ndefine internal i8 @uncounted(ptr %c, i32 %o) '
                                '{ ret i8 0 }\n' if 'i8 @uncounted(' in text else text)
    _require_c(whole)
    return whole


def _alone(compiled: Any, symbol: str, machine: Any) -> Any:
    """Return the module of a kernel with nothing else to call, as a symbol."""
    module = llvm.parse_bitcode(compiled.library._get_module_for_linking().as_bitcode())
    own = module.get_function(compiled.fndesc.llvm_func_name)
    own.name, own.linkage = symbol, 'external'
    _hide(module, {symbol}, machine)
    return module


def _hide(module: Any, visible: Collection[str], machine: Any) -> None:
    """Leave in a module what visible functions reach, and let nothing else be called."""
    for one in (*module.functions, *module.global_variables):
        if not one.is_declaration and one.name not in visible:
            one.linkage = 'internal'
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_opt_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.add_strip_dead_prototype_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))


def _cells(cells: Sequence[tuple[str, bool]]) -> str:
    """Return LLVM's text of the cells of rare kernels, (name, whether met), and of the runtime."""
    lines = [f'define i64 @"{COMPILE}"(ptr %cell) {{ ret i64 {UNMET} }}',
             f'define void @{_UNCOUNTED}(ptr %info) {{ ret void }}']
    for name, met in cells:
        lines.append(f'@"{name}" = constant ptr ' + (f'@"{name}.code"' if met else 'null'))
        if met:
            lines.append(f'declare void @"{name}.code"()')
    return '\n'.join(lines)


def _declared(module: Any) -> set[str]:
    """Return the names of what a module uses and does not have."""
    return {one.name for one in (*module.functions, *module.global_variables)
            if one.is_declaration}


def _require_c(module: Any) -> None:
    """Give functions of numba the names of C; raise NotImplementedError for what C has not."""
    for name, in_c in _OF_NUMBA.items():
        if name in _declared(module):
            module.get_function(name).name = in_c
    missing = sorted(name for name in _declared(module) - _MATHEMATICS
                     if not name.startswith('llvm.'))
    if missing:
        raise NotImplementedError(f'{", ".join(missing)}: not there without Python')
