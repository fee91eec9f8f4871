"""Programs of expressions: values as evaluated directly, derivatives against complex step."""

import cmath
import math

import numpy as np
import pytest

from mb_model.mechanism_file.expressions import ExpressionError, evaluate
from mb_model.mechanism_file.programs import VARIABLE, jet, program_of, term_of

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
