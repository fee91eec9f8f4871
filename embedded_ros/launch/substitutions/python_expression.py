"""The value of a Python expression."""
import importlib

from ..frontend.expose import expose_substitution
from ..some_substitutions_type import SomeSubstitutionsType
from ..substitution import Substitution
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .described import described, from_to


@expose_substitution('eval')
class PythonExpression(Substitution):
    """str() of an expression; names of modules and, for `math`, its functions may be used in it."""

    def __init__(self, expression: SomeSubstitutionsType,
                 python_modules: SomeSubstitutionsType = ('math',)) -> None:
        self.__expression = normalize_to_list_of_substitutions(expression)
        self.__modules = normalize_to_list_of_substitutions(python_modules)

    @classmethod
    def parse(cls, data):
        from_to('eval', data, 1, 2)
        kwargs = {'expression': data[0]}
        if len(data) == 2:      # names separated by commas, of which some may be substitutions
            modules = []
            for part in data[1]:
                text = getattr(part, 'text', None)
                modules.extend([part] if text is None
                               else [name.strip() for name in text.split(',')])
            kwargs['python_modules'] = modules
        return cls, kwargs

    @property
    def expression(self) -> list[Substitution]:
        return self.__expression

    @property
    def python_modules(self) -> list[Substitution]:
        return self.__modules

    def describe(self) -> str:
        modules = ', '.join(part.describe() for part in self.__modules)
        return f'PythonExpr({described(self.__expression)}, [{modules}])'

    def perform(self, context) -> str:
        names = {}
        for part in self.__modules:
            name = context.perform_substitution(part)
            if not name:
                continue
            module = importlib.import_module(name)
            names[module.__name__] = module
            if module.__name__ == 'math':
                names.update(vars(module))
        expression = perform_substitutions(context, self.__expression)
        return str(eval(expression, {}, names))     # the purpose of this substitution
