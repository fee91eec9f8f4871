"""Start a process and look after it."""
import asyncio
from collections.abc import Callable
import signal
from typing import Any

from ..action import Action
from ..conditions import evaluate_condition_expression
from ..descriptions import Executable
from ..event_handlers import EventHandler, OnProcessExit, OnShutdown
from ..events.process import (
    ProcessExited,
    ProcessIO,
    ProcessStarted,
    ShutdownProcess,
    SignalProcess,
)
from ..launch_context import LaunchContext
from ..launch_description_entity import SomeEntitiesType, SomeSubstitutionsType
from ..logging import get_logger, get_output_loggers
from ..substitutions import LaunchConfiguration
from ..substitutions.values import described
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution
from .opaque_function import OpaqueFunction
from .process_protocol import Escalation, ProcessLines, start_process

SIGTERM_TIMEOUT = LaunchConfiguration('sigterm_timeout', default=5)     # [s]
SIGKILL_TIMEOUT = LaunchConfiguration('sigkill_timeout', default=5)     # [s]


class ExecuteLocal(Action):
    """Runs an Executable on this machine.

    output: where its output goes ('screen', 'log', 'both', 'own_log', 'full');
    cached_output keeps it for get_stdout() and get_stderr(); on_exit: entities, or a function of
    event and context; sigterm_timeout and sigkill_timeout [s]: see Escalation.
    """

    def __init__(self, *, process_description: Executable,
                 shell: bool = False,
                 sigterm_timeout: SomeSubstitutionsType = SIGTERM_TIMEOUT,
                 sigkill_timeout: SomeSubstitutionsType = SIGKILL_TIMEOUT,
                 emulate_tty: bool = False,
                 output: SomeSubstitutionsType = 'log',
                 output_format: str = '[{this.process_description.final_name}] {line}',
                 cached_output: bool = False,
                 log_cmd: bool = False,
                 on_exit: SomeEntitiesType | Callable | None = None,
                 respawn: bool | SomeSubstitutionsType = False,
                 respawn_delay: float | SomeSubstitutionsType | None = None,
                 respawn_max_retries: int = -1,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        self.process_description = process_description
        self.__shell = shell
        self.sigterm_timeout = normalize_to_list_of_substitutions(sigterm_timeout)
        self.sigkill_timeout = normalize_to_list_of_substitutions(sigkill_timeout)
        self.__emulate_tty = emulate_tty
        self.__output = normalize_to_list_of_substitutions(output)
        self.__output_format = output_format
        self.__cached_output = cached_output
        self.__log_cmd = log_cmd
        self.__on_exit = on_exit
        self.__respawn = normalize_typed_substitution(respawn, bool)
        self.__respawn_delay = (None if respawn_delay is None else normalize_typed_substitution(
            respawn_delay, float))
        self.__respawn_max_retries = respawn_max_retries
        self.__respawn_retries = 0
        self.__executed = False
        self.__shutdown_requested = False
        self.__details: dict[str, Any] | None = None
        self.__return_code: int | None = None
        self.__completed: asyncio.Future | None = None
        self.__stopping: asyncio.Future | None = None
        self.__escalation: Escalation | None = None
        self.__process = None
        self.__lines: dict[int, ProcessLines] = {}
        self.__handlers: list = []
        self.__logger = get_logger(__name__)

    @property
    def return_code(self) -> int | None:
        """Exit code of the process, None as long as it runs."""
        return self.__return_code

    @property
    def process_details(self) -> dict[str, Any] | None:
        """What the events of this process carry: None before prepare(), its pid since its start."""
        return self.__details

    def get_stdout(self) -> str:
        """Return what was printed so far; a RuntimeError without cached_output."""
        return self._cached(1)

    def get_stderr(self) -> str:
        """Return what was printed to stderr so far; a RuntimeError without cached_output."""
        return self._cached(2)

    def _cached(self, fd: int) -> str:
        if not self.__cached_output:
            raise RuntimeError('cached output must be true to be able to get stdout,'
                               f" proc '{self.process_description.final_name}'")
        return self.__lines[fd].everything.decode(errors='replace') if fd in self.__lines else ''

    def get_asyncio_future(self) -> asyncio.Future | None:
        return self.__completed

    def prepare(self, context: LaunchContext) -> None:
        """Perform the substitutions of the command line."""
        description = self.process_description
        description.prepare(context, self)
        self.__details = {'action': self, 'name': description.final_name,
                          'cmd': description.final_cmd, 'cwd': description.final_cwd,
                          'env': description.final_env}

    def execute(self, context: LaunchContext) -> None:
        self.prepare(context)
        name = self.process_description.final_name
        if self.__executed:
            raise RuntimeError(
                f"ExecuteLocal action '{name}': executed more than once: {self.describe()}")
        self.__executed = True
        if context.is_shutdown:
            return
        self.__logger = get_logger(name)
        self._prepare_output(context)
        self._register_handlers(context)
        self.__completed = context.asyncio_loop.create_future()
        self.__stopping = context.asyncio_loop.create_future()
        # Also without visitor: an error elsewhere must not let the launch end before this process.
        context.add_completion_future(self.__completed)
        context.asyncio_loop.create_task(self._run(context))

    # --- output

    def _wants_tty(self, context: LaunchContext) -> bool:
        """Return emulate_tty; the launch configuration of this name comes first."""
        if 'emulate_tty' not in context.launch_configurations:
            return self.__emulate_tty
        return evaluate_condition_expression(context, [LaunchConfiguration('emulate_tty')])

    def _prepare_output(self, context: LaunchContext) -> None:
        loggers = get_output_loggers(self.process_description.final_name,
                                     perform_substitutions(context, self.__output))

        def write(logger):
            return lambda line: logger.info(
                '%s', self.__output_format.format(line=line, this=self))
        self.__lines = {fd: ProcessLines(write(logger), keep=self.__cached_output)
                        for fd, logger in zip((1, 2), loggers, strict=True)}

    def _on_data(self, context: LaunchContext, fd: int, data: bytes) -> None:
        self.__lines[fd].add(data)
        context.emit_event_sync(ProcessIO(text=data, fd=fd, **self.__details))

    # --- events

    def _register_handlers(self, context: LaunchContext) -> None:
        def targeted(event_class, function):
            return EventHandler(
                matcher=lambda event: (isinstance(event, event_class)
                                       and event.process_matcher(self)),
                entities=OpaqueFunction(
                    function=lambda context: function(context, context.locals.event)))
        self.__handlers = [
            targeted(ShutdownProcess, lambda context, event: self._shutdown(context, True)),
            targeted(SignalProcess, lambda context, event: self._signal(event.signal)),
            OnShutdown(on_shutdown=self._on_shutdown),
        ]
        if self.__on_exit is not None:
            self.__handlers.append(OnProcessExit(target_action=self, on_exit=self.__on_exit))
        for handler in self.__handlers:
            context.register_event_handler(handler)

    def _on_shutdown(self, event, context: LaunchContext) -> None:
        # A terminal has sent the SIGINT of a Ctrl-C to the processes already.
        self._shutdown(context, not event.due_to_sigint or context.noninteractive)

    def _shutdown(self, context: LaunchContext, send_sigint: bool) -> None:
        if self.__shutdown_requested:
            return
        self.__shutdown_requested = True
        if not self.__stopping.done():
            self.__stopping.set_result(None)
        if self.__process is None or self.__process.exited.done():
            return
        if send_sigint:
            self._signal(signal.SIGINT)
        self._start_escalation(context)

    def _start_escalation(self, context: LaunchContext) -> None:
        name = self.process_description.final_name
        self.__escalation = Escalation(
            name, self.__logger, self._signal,
            perform_substitutions(context, self.sigterm_timeout),
            perform_substitutions(context, self.sigkill_timeout))
        self.__escalation.start(context.asyncio_loop)

    def _signal(self, signum: signal.Signals) -> None:
        name = self.process_description.final_name
        if self.__process is None or self.__process.exited.done():
            self.__logger.debug(f"signal '{signum.name}' not sent to '{name}': it is not running")
            return
        self.__logger.info(f"sending signal '{signum.name}' to process[{name}]")
        self.__process.send_signal(signum)

    # --- the life of the process

    async def _run(self, context: LaunchContext) -> None:
        try:
            respawn = perform_typed_substitution(context, self.__respawn, bool)
            while await self._run_once(context) and respawn and self._may_respawn():
                if self.__respawn_delay is not None:
                    delay = perform_typed_substitution(context, self.__respawn_delay, float)
                    await asyncio.wait([self.__stopping], timeout=delay)
                if self.__stopping.done():
                    break
        except Exception as error:
            self.__completed.set_exception(error)
        finally:
            await self._finish(context)

    def _may_respawn(self) -> bool:
        self.__respawn_retries += 1
        return not self.__stopping.done() and (
            self.__respawn_max_retries < 0
            or self.__respawn_retries <= self.__respawn_max_retries)

    async def _finish(self, context: LaunchContext) -> None:
        if not self.__completed.done():
            self.__completed.set_result(None)
        for handler in self.__handlers[:-1 if self.__on_exit is not None else None]:
            context.unregister_event_handler(handler)

    async def _run_once(self, context: LaunchContext) -> bool:
        """Start the process and wait for its end; return False if it could not be started."""
        description = self.process_description
        cmd = description.final_cmd
        if self.__log_cmd:
            self.__logger.info(f"process details: cmd='{' '.join(cmd)}', "
                               f"cwd='{description.final_cwd}', "
                               f'custom_env?={description.env is not None}')
        self.__return_code = None
        try:
            process = await start_process(
                context.asyncio_loop, cmd, shell=self.__shell, tty=self._wants_tty(context),
                cwd=description.final_cwd, env=description.final_env,
                on_data=lambda fd, data: self._on_data(context, fd, data))
        except Exception:
            self.__logger.error('exception occurred while executing process:', exc_info=True)
            return False
        self.__details['pid'] = process.pid
        self.__process = process
        process.begin()
        self.__logger.info(f'process started with pid [{process.pid}]')
        await context.emit_event(ProcessStarted(**self.__details))
        if self.__shutdown_requested:       # while it was being started
            self._signal(signal.SIGINT)
            self._start_escalation(context)
        await self._wait_for_end(context, process)
        return True

    async def _wait_for_end(self, context: LaunchContext, process) -> None:
        code = await process.exited
        await process.drained()
        if self.__escalation is not None:
            self.__escalation.cancel()
        for lines in self.__lines.values():
            lines.flush()
        self.__return_code = code
        if code == 0:
            self.__logger.info(f'process has finished cleanly [pid {process.pid}]')
        else:
            cmd = ' '.join(self.process_description.final_cmd)
            self.__logger.error(f"process has died [pid {process.pid}, exit code {code}, "
                                f"cmd '{cmd}'].")
        await context.emit_event(ProcessExited(returncode=code, **self.__details))
        process.close()

    def describe(self) -> str:
        description = self.process_description
        cmd = ', '.join(map(described, description.cmd))
        cwd = None if description.cwd is None else f"'{described(description.cwd)}'"
        pairs = ', '.join(f'{described(name)}: {described(value)}'
                          for name, value in description.env or ())
        env = None if description.env is None else f'{{{pairs}}}'
        return f'{type(self).__name__}(cmd=[{cmd}], cwd={cwd}, env={env}, shell={self.__shell})'
