"""Expressions in mechanism files: their values, and what is refused."""

from contextlib import suppress
import math

from hypothesis import given, strategies as st
import pytest

from mb_model.mechanism_file.expressions import LONGEST, ExpressionError, evaluate

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
