"""Expressions in mechanism files: their values, and what is refused."""

import cmath
from contextlib import suppress
import math
import re

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mb_model.mechanism_file.expressions import LONGEST, ExpressionError, evaluate
from mb_model.mechanism_file.programs import VARIABLE, jet, program_of, term_of

NUMBERS = st.floats(0.1, 10.0).map(lambda x: (f'{x!r}', x))


def _pair(sign, operation):
    def combine(parts):
        (left, a), (right, b) = parts
        return f'({left}){sign}({right})', operation(a, b)
    return combine


EXPRESSIONS = st.recursive(NUMBERS, lambda inner: st.one_of(
    st.tuples(inner, inner).map(_pair('+', lambda a, b: a + b)),
    st.tuples(inner, inner).map(_pair(' - ', lambda a, b: a - b)),
    st.tuples(inner, inner).map(_pair('*', lambda a, b: a * b)),
    inner.map(lambda part: (f'-({part[0]})', -part[1])),
    inner.map(lambda part: (f'sin({part[0]})', math.sin(part[1]))),
    st.tuples(inner, inner).map(
        lambda p: (f'hypot({p[0][0]}, {p[1][0]})', math.hypot(p[0][1], p[1][1])))), max_leaves=6)


@given(EXPRESSIONS)
def test_value_is_that_of_the_tree_it_was_written_from(expression):
    text, value = expression
    if len(text) <= LONGEST:
        assert evaluate(text) == value


@pytest.mark.parametrize(('text', 'value'), [
    ('2', 2.0), ('1e9', 1e9), ('17.453e-3', 17.453e-3), ('.5', 0.5), ('pi/3', math.pi / 3),
    ('2 - 3 - 4', -5.0), ('12/3/2', 2.0), ('2*3+4', 10.0), ('2+3*4', 14.0), ('-2**2', -4.0),
    ('2**3**2', 512.0), ('2**-1', 0.5), ('2 ** - 1', 0.5), ('- -3', 3.0), ('sqrt(13)', 13 ** 0.5),
    ('max(1, 2, 3)', 3.0), ('atan2(1, -1)', 0.75 * math.pi), ('L / 2', 4.0), (' ( L ) ', 8.0)])
def test_precedence_and_functions(text, value):
    assert evaluate(text, {'L': 8.0}) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(('text', 'instead'), [
    ('1 deg', 'radians(1)'), ('-2.5°', 'radians(-2.5)'), ('20 deg/s', 'radians(20)'),
    ('60 kg', '60'), ('1e-3 rad', '1e-3'), ('5 Nm', '5'), ('5 N m', '5'), ('260 cm', '2.6'),
    ('2 kN', '2000'), ('30 rpm', '3.14159265359'), ('10 ms', '0.01'), ('50 %', '0.5'),
    ('3 g', 'a number without a unit, in SI'), ('4 nm', 'a number without a unit, in SI')])
def test_a_unit_is_answered_with_the_number_in_si(text, instead):
    with pytest.raises(ExpressionError, match=f'^has a unit: write {re.escape(instead)}$'):
        evaluate(text)


@pytest.mark.parametrize('text', ['3 fathoms', 'deg', '2 * deg', '5 t', '1 + 2 m'])
def test_other_texts_are_taken_for_expressions(text):
    with pytest.raises(ExpressionError, match=r'unexpected|unknown'):
        evaluate(text)


@pytest.mark.parametrize(('text', 'reason'), [
    ('', 'ends too early'), ('1 +', 'ends too early'), ('(1', "lacks a ')'"), ('1)', "')'"),
    ('2 3', "'3'"), ('1 $ 2', "'$'"), ('lengt', "unknown 'lengt', known are L, pi"),
    ('__import__("os")', "'\"'"), ('open(1)', "unknown 'open'"), ('pi.real', "'.'"),
    ('1/0', 'has no value'), ('sqrt(-1)', 'has no value'), ('9**9**9', 'has no value'),
    ('(-8)**0.5', 'no finite value'), ('1e308*10', 'no finite value'), ('sin()', "')'"),
    ('sin(1, 2)', 'has no value'), ('(' * 499 + '1', 'nested too deeply'),
    ('1' * (LONGEST + 1), 'longer than')])
def test_refused_expressions_say_why(text, reason):
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, {'L': 8.0})
    assert reason in str(caught.value)


@given(st.text(alphabet='0123456789.eE+-*/(), piLsqrtx_', max_size=40))
def test_any_text_has_a_finite_value_or_is_refused(text):
    with suppress(ExpressionError):
        assert math.isfinite(evaluate(text, {'L': 8.0}))


TEXTS = ['3', 't', '-t', '2*t + 1', 't**3 - t/2', '(1 + t)**-2.5', '2**t', 't**t', '1/(1 + t*t)',
         'sqrt(1 + t)', 'sin(2*pi*t)', 'cos(w*t)**2', 'tan(t/3)', 'asin(t/4)', 'acos(t/5)',
         'atan(3*t)', 'exp(-w*t)*sin(t)', 'log(2 + t)', 'atan2(1 + t, 2 - t*t)',
         'hypot(t, 1 + t*t)', 'abs(t - 2)*t', 'min(t, 5, 1 + t)', 'max(t*t, t - 1)',
         'radians(t*90) + degrees(t)', '(t - 1)**2', '0.4*sin(w*t) + 0.1*sin(2*w*t) - 0.2']


def complex_functions():
    names = ('sqrt', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'exp', 'log')
    return {name: getattr(cmath, name) for name in names} | {
        'atan2': lambda y, x: cmath.atan(y / x), 'hypot': lambda x, y: cmath.sqrt(x * x + y * y),
        'abs': lambda x: x if x.real > 0 else -x, 'pi': math.pi,
        'min': lambda *a: min(a, key=lambda x: complex(x).real),
        'max': lambda *a: max(a, key=lambda x: complex(x).real),
        'radians': lambda x: x * math.pi / 180, 'degrees': lambda x: x * 180 / math.pi}


@pytest.mark.parametrize('text', TEXTS)
def test_value_and_derivatives(text):
    program = program_of(term_of(text, {'t': VARIABLE, 'w': 1.7}))
    for t in (0.3, 0.9):
        value, slope, bend = jet(program, t)
        assert value == pytest.approx(evaluate(text, {'t': t, 'w': 1.7}), rel=1e-14, abs=1e-15)

        def slope_at(t):
            x = eval(text, complex_functions(), {'t': complex(t, 1e-30), 'w': 1.7})
            return complex(x).imag / 1e-30

        assert slope == pytest.approx(slope_at(t), rel=1e-12, abs=1e-12)
        h = 1e-3
        f = [slope_at(t + k * h) for k in (-2, -1, 1, 2)]
        assert bend == pytest.approx((f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h), rel=1e-8,
                                     abs=1e-8)


def test_outside_of_a_domain_there_is_no_number():
    for text in ('sqrt(t)', 'log(t)', '1/(t + 1)', '(t + 1)**-1', 't**0.5', 't**t'):
        assert np.isnan(jet(program_of(term_of(text, {'t': VARIABLE})), -1.0)).all(), text


def test_too_much_is_reported():
    with pytest.raises(ExpressionError, match='too complicated'):
        term_of(' + '.join(['sin(t)'] * 20), {'t': VARIABLE})
    with pytest.raises(ExpressionError, match='has no value'):
        term_of('sin(t, t)', {'t': VARIABLE})
