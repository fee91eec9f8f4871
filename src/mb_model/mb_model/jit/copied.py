"""Kernels whose callers copy them: numba's passes without what only Python or a linker needs.

numba makes machine code of every function, a wrapper for callers in Python, and another one for
function pointers.  A kernel that only compiled functions call needs none of these: what its callers
copy is LLVM's intermediate code.

This uses what numba does not promise to keep: see jit.kernel for the versions.
"""

from collections.abc import Callable, Mapping
from typing import Any

from llvmlite.binding import parse_bitcode
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.types import unliteral


def kernel(function: Callable[..., Any]) -> 'Kernel':
    """Compile a function that compiled ones alone call."""
    compiled = Kernel(function, targetoptions=dict(_OPTIONS), pipeline_class=_Compiler)
    compiled.enable_caching()
    return compiled


def copied_always(function: Callable[..., Any]) -> 'Kernel':
    """Compile a function that is always copied into its callers; not cached."""
    return Kernel(function, targetoptions=_OPTIONS | {'forceinline': True},
                  pipeline_class=_Compiler)


_OPTIONS = {'nopython': True, 'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}


class Kernel(CPUDispatcher):
    """A compiled function that Python cannot call."""

    def enable_caching(self) -> None:
        self._cache = _Cache(self.py_func)

    def get_call_template(self, args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
        # A constant is a number like others: one compilation serves all its values.
        return super().get_call_template(
            tuple(map(unliteral, args)), {name: unliteral(one) for name, one in kws.items()})

    def __call__(self, *_: Any, **__: Any) -> None:
        name = f'{self.py_func.__module__}.{self.py_func.__qualname__}'
        raise TypeError(f'{name} is called by compiled functions only; @entry makes a function '
                        'that Python may call, too')


class _Compiler(Compiler):
    """numba's compiler, with a library of another kind."""

    def define_pipelines(self) -> Any:
        state = self.state
        if state.library is None:
            state.library = _Copied(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


class _Copied(JITCodeLibrary):
    """LLVM's code of a function, to be linked into others; never made into machine code."""

    def _optimize_final_module(self) -> None:
        """Leave it to the callers, which optimise the copies with the rest of their code."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> 'type[_NoEngine]':
        return _NoEngine

    def serialize(self) -> tuple[str, bytes]:
        """Return what restore makes the library of."""
        return self.name, self._get_module_for_linking().as_bitcode()

    @classmethod
    def restore(cls, codegen: Any, state: tuple[str, bytes]) -> '_Copied':
        """Return the library of what serialize returned."""
        name, bitcode = state
        library = cls(codegen, name)
        library._final_module = parse_bitcode(bitcode)
        library._finalized = True
        return library


class _NoEngine:
    """There is no machine code in which numba could set the address of Python objects."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        if environment.consts:
            raise NotImplementedError(f'{name}: uses objects of Python: @entry instead of @kernel')


class _CacheOfCopied(CompileResultCacheImpl):
    """Keeps LLVM's code of a kernel."""

    def check_cachable(self, result: CompileResult) -> bool:
        # What numba would have to run first when it loads the kernel is not kept.
        return super().check_cachable(result) and not result.reload_init

    def reduce(self, result: CompileResult) -> tuple[Any, ...]:
        result.fndesc.typemap = result.fndesc.calltypes = None
        return result.library.serialize(), result.fndesc, result.environment, result.signature

    def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> CompileResult:
        state, descriptor, environment, signature = payload
        library = _Copied.restore(target_context.codegen(), state)
        return CompileResult(
            typing_context=target_context.typing_context, target_context=target_context,
            entry_point=target_context.get_executable(library, descriptor, environment),
            typing_error=None, type_annotation='', signature=signature, objectmode=False,
            lifted=(), fndesc=descriptor, library=library, call_helper=None,
            environment=environment, metadata=None, reload_init=[], referenced_envs=())


class _Cache(FunctionCache):
    _impl_class = _CacheOfCopied
