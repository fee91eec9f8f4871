"""Settings check every value and say what they expected."""

from dataclasses import FrozenInstanceError, dataclass

import pytest

from mb_model.settings import SettingError, Settings, setting


@dataclass(frozen=True)
class Example(Settings):
    psd: float = setting(0.1, unit='rad^2/s^3', above=0.0, help='Power spectral density')
    steps: int = setting(5, at_least=1, at_most=9, help='Passes')
    method: str = setting('fast', choices=('fast', 'exact'), help='Which way')
    strict: bool = setting(False, help='Whether to insist')
    names: tuple[str, ...] = setting((), help='Some names')
    weights: tuple[float, ...] = setting((1.0,), at_least=0.0, help='Some numbers')


@dataclass(frozen=True)
class Needy(Settings):
    path: str = setting(help='A file')


def test_defaults_are_kept():
    assert Example() == Example(0.1, 5, 'fast', False, (), (1.0,))


def test_values_take_the_declared_type():
    made = Example(psd=2, weights=[1, 2], names=['a'])
    assert (made.psd, made.weights, made.names) == (2.0, (1.0, 2.0), ('a',))
    assert type(made.psd) is float
    assert type(made.weights[0]) is float


def test_settings_do_not_change():
    with pytest.raises(FrozenInstanceError):
        Example().psd = 1.0


@pytest.mark.parametrize(('values', 'text'), [
    ({'psd': 0.0}, 'psd: 0.0 must be > 0'),
    ({'psd': float('nan')}, 'psd: nan must be > 0'),
    ({'psd': 'much'}, "psd: 'much' must be a number"),
    ({'psd': '2 deg'}, "psd: '2 deg' must be a number without a unit: write 0.0349065850399"),
    ({'psd': True}, 'psd: True must be a number'),
    ({'steps': 10}, 'steps: 10 must be >= 1 and <= 9'),
    ({'steps': 2.5}, 'steps: 2.5 must be a whole number'),
    ({'method': 'slow'}, "method: 'slow' must be one of fast, exact"),
    ({'strict': 1}, 'strict: 1 must be true or false'),
    ({'names': 'a'}, "names: 'a' must be a list of texts"),
    ({'weights': [1.0, 'x']}, "weights[1]: 'x' must be a number"),
    ({'weights': [1.0, -1.0]}, 'weights: -1.0 must be >= 0'),
])
def test_wrong_values_are_reported(values, text):
    with pytest.raises(SettingError) as error:
        Example(**values)
    assert str(error.value) == text


def test_unknown_setting_is_reported():
    with pytest.raises(SettingError, match=r'^speed: unknown setting, expected one of psd, steps'):
        Example.from_mapping({'speed': 1.0})


def test_missing_setting_is_reported():
    with pytest.raises(SettingError, match=r'^path: missing$'):
        Needy.from_mapping({})
