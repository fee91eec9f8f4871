"""All settings of all packages: every value is taken or refused in words, every range works."""

from importlib import import_module
import math
from pkgutil import walk_packages

from hypothesis import HealthCheck, given, settings, strategies as st
import pytest

from mb_model import SettingError, Settings
from mb_model.settings.parameter_yaml import scalar_of

PACKAGES = ('mb_model', 'mb_sensors', 'mb_estimators', 'mb_contact', 'mb_simulation',
            'mb_evaluation', 'mb_bringup')


def imported(package):
    """Import every module of a package that is no program."""
    folder = import_module(package)
    for found in walk_packages(folder.__path__, f'{package}.'):
        if not found.name.endswith('__main__'):
            import_module(found.name)


def subclasses(kind):
    return {kind, *(below for one in kind.__subclasses__() for below in subclasses(one))}


for _package in PACKAGES:
    imported(_package)
CLASSES = sorted((one for one in subclasses(Settings) - {Settings}
                  if one.__module__.partition('.')[0] in PACKAGES),
                 key=lambda one: (one.__module__, one.__name__))
ALL = [(kind, name, of, description) for kind in CLASSES
       for name, of, description in kind.describe()]
NUMBERS = [one for one in ALL if one[2] in (float, int)]
TEXTS = [one for one in ALL if one[2] in (str, tuple[str, ...])]
HOSTILE = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20),
    st.binary(max_size=4),
    st.sampled_from([1e300, -1e300, 5e-324, 1e-300, 2 ** 63, 10 ** 60, 10 ** 5000, -10 ** 400,
                     math.inf, '\0', '../..', '~nosuchuser', 'x' * 10_000, [], [[]], {}]),
    st.lists(st.one_of(st.floats(), st.integers(), st.text(max_size=5), st.none()), max_size=5))


def needed(kind):
    """Return values of the settings that have no default."""
    values = {float: 1.0, int: 1, str: 'x', bool: True, tuple[float, ...]: (1.0,),
              tuple[str, ...]: ('x', 'y')}
    return {name: (description.choices[0] if description.choices else values[of])
            for name, of, description in kind.describe() if name not in kind.defaults()}


def attempt(kind, name, value):
    """Return (settings with a value, ''), or (None, what is wrong with it)."""
    try:
        return kind(**needed(kind) | {name: value}), ''
    except SettingError as error:
        return None, str(error)


def test_there_are_settings():
    assert len(CLASSES) > 60
    assert len(NUMBERS) > 200


@pytest.mark.fuzz
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(ALL), HOSTILE)
def test_every_value_is_taken_or_refused_in_words(one, value):
    kind, name, _, _ = one
    made, words = attempt(kind, name, value)
    if made is None:
        assert words.startswith(name)
        assert len(words) < 1000
    else:
        taken = getattr(made, name)
        assert not isinstance(taken, float) or math.isfinite(taken)


@pytest.mark.parametrize('one', NUMBERS, ids=lambda one: f'{one[0].__name__}.{one[1]}')
def test_the_ends_of_ranges_are_taken(one):
    """Unless other settings are in the way, which is said."""
    kind, name, of, description = one
    least, largest = description.range(of)
    assert least < largest
    for value in (least, largest):
        assert isinstance(value, of)
        made, words = attempt(kind, name, value)
        if made is None:
            assert 'steps' in words or 'states' in words        # two of them together
        else:
            assert getattr(made, name) == value
    beyond = (least - 1, largest + 1, 10 ** 400, -10 ** 400) if of is int else (
        math.nextafter(least, -math.inf), math.nextafter(largest, math.inf))
    for value in beyond:
        with pytest.raises(SettingError, match=f'^{name}: '):
            kind(**needed(kind) | {name: value})


@pytest.mark.parametrize('one', [one for one in TEXTS if one[3].choices],
                         ids=lambda one: f'{one[0].__name__}.{one[1]}')
def test_documented_texts_are_taken_as_yaml_reads_them(one):
    """`gate: off` is a truth value to YAML, `axes: [y, x, z]` has one in it."""
    kind, name, of, description = one
    for text in description.choices:
        given_value = scalar_of(text) if of is str else [scalar_of(text)] * 3
        made = getattr(kind(**needed(kind) | {name: given_value}), name)
        assert made == (text if of is str else (text,) * 3)
