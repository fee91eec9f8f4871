"""Settings of a managed node: parameters that may be set again, some of them while it runs."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from rclpy.node import Node
from rclpy.parameter import Parameter

from mb_ros.parameters import (
    declare_settings,
    parameter_meant,
    setting_value,
    settings_from,
)

AT_ONCE = 'a change takes effect at once'
AT_CONFIGURE = 'a change takes effect when the node is configured again'


@dataclass(frozen=True)
class _Group:
    """Settings whose parameters begin with a prefix."""

    settings_class: Any     # a subclass of Settings
    prefix: str
    change: Callable[[Any], Callable[[], None]] | None
    fixed: frozenset[str]   # names of parameters that need another configuration

    @property
    def kinds(self) -> dict[str, Any]:
        """Type of each setting by the name of its parameter."""
        return {self.prefix + name: kind for name, kind, _ in self.settings_class.describe()}

    def meant(self, parameter: Parameter) -> Parameter:
        """Return the Parameter that is meant by one of the group."""
        return next(parameter_meant(parameter, kind, description)
                    for name, kind, description in self.settings_class.describe()
                    if self.prefix + name == parameter.name)


class ChangingParameters:
    """Checks what is set as whole Settings and, while the node is configured, puts it in place.

    What was set is kept when the node is configured again, as long as there is a parameter of that
    name.
    """

    def __init__(self, node: Node, is_configured: Callable[[], bool]) -> None:
        """Set up; is_configured(): whether the node is."""
        self._node, self._is_configured = node, is_configured
        self._groups: dict[str, _Group] = {}        # name of a parameter -> its _Group
        self._chosen: set[str] = set()  # names of parameters that were set
        self._asked: set[str] = set()   # names of parameters that the present configuration has
        self._ready: list[Callable[[], None]] = []      # puts in place what is about to be set
        node.add_pre_set_parameters_callback(self._as_meant)
        node.add_on_set_parameters_callback(self._check)
        node.add_post_set_parameters_callback(self._put_in_place)

    def begin(self) -> None:
        """Begin a configuration."""
        self._asked.clear()

    def settings_of(self, settings_class: Any, prefix: str = '', defaults: Any = None,
                    change: Any = None, fixed: Collection[str] = ()) -> Any:
        """Return settings of parameters, declared again; see ManagedNode.settings_of."""
        names = [name for name, _, _ in settings_class.describe()]
        fixed = frozenset(prefix + name for name in (fixed if change else names))
        group = _Group(settings_class, prefix, change, fixed)
        chosen = {name.removeprefix(prefix): setting_value(kind, self._value(name))
                  for name, kind in group.kinds.items() if name in self._chosen}
        for name in group.kinds:
            self._forget(name)
        try:
            return declare_settings(
                self._node, settings_class, prefix, defaults, chosen,
                lambda name: AT_CONFIGURE if prefix + name in fixed else AT_ONCE)
        finally:
            self._groups |= dict.fromkeys(group.kinds, group)
            self._asked |= group.kinds.keys()

    def end(self) -> None:
        """End a configuration: forget the parameters that it does not have."""
        for name in self._groups.keys() - self._asked:
            self._forget(name)
            self._chosen.discard(name)

    def _forget(self, name: str) -> None:
        if self._groups.pop(name, None):
            self._node.undeclare_parameter(name)

    def _value(self, name: str) -> Any:
        return self._node.get_parameter_or(name).value

    def _as_meant(self, parameters: Sequence[Parameter]) -> list[Parameter]:
        """Return Parameters, texts that YAML took for truth values as the texts that they are."""
        return [self._groups[parameter.name].meant(parameter)
                if parameter.name in self._groups else parameter for parameter in parameters]

    def _check(self, parameters: Sequence[Parameter]) -> SetParametersResult:
        """Refuse what does not fit, and prepare to put the rest in place."""
        new = {parameter.name: parameter.value for parameter in parameters}
        self._ready = []
        try:
            for group in self._touched(new):
                self._ready += self._prepared(group, new)
        except ValueError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _touched(self, names: Iterable[str]) -> list[_Group]:
        """Return the _Groups of parameters, each once."""
        return list(dict.fromkeys(self._groups[name] for name in names if name in self._groups))

    def _prepared(self, group: _Group, new: Mapping[str, Any]) -> Any:
        """Return what puts new values in place; raises ValueError if they must not be set."""
        configured = self._is_configured()
        changed = {name for name, kind in group.kinds.items() if name in new
                   and setting_value(kind, new[name]) != setting_value(kind, self._value(name))}
        if configured and not changed:
            return []
        for name in group.fixed & changed if configured else ():
            raise ValueError(f'{name}: cannot change while the node is configured: deactivate and '
                             'clean up the node, set it, then configure and activate again')
        values = {name.removeprefix(group.prefix): setting_value(kind, new.get(
            name, self._value(name))) for name, kind in group.kinds.items()}
        for name, _, _ in group.settings_class.describe():
            if values[name] is None:
                values[name] = group.settings_class.defaults().get(name)
        if None in values.values():
            return []       # reported when the node is configured
        settings = settings_from(group.settings_class, group.prefix, values)
        return [group.change(settings)] if configured and group.change else []

    def _put_in_place(self, parameters: Sequence[Parameter]) -> None:
        self._chosen |= {parameter.name for parameter in parameters
                         if parameter.name in self._groups}
        ready, self._ready = self._ready, []
        for put in ready:
            put()
