"""Expressions over one variable as small programs: value, first and second derivative at once.

A program is a list of operations on a stack, whose entries are jets (value, derivative, second
derivative) in the variable.  mb_model.mechanism_file.programs makes them from the text of a
mechanism file.
"""

from math import acos, asin, atan, atan2, cos, exp, log, sin, sqrt, tan

from numba import float64, int64, void

from mb_model.jit import Rare, kernel

NUMBER, VARIABLE, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, POWER = range(8)
SQRT, SIN, COS, TAN, ASIN, ACOS, ATAN, EXP, LOG, ABS, ATAN2, HYPOT, MIN, MAX = range(8, 22)

# Kernels that run programs: few mechanisms have one.
EXPRESSIONS = Rare()


@kernel
def _of_one(operation, a):
    """Replace the jet a by a function of it."""
    x, nan = a[0], float('nan')
    value, slope, bend = nan, nan, nan
    if operation == NEGATE:
        value, slope, bend = -x, -1.0, 0.0
    elif operation == SQRT and x > 0.0:
        value = sqrt(x)
        slope = 0.5 / value
        bend = -0.5 * slope / x
    elif operation == SIN:
        value, slope = sin(x), cos(x)
        bend = -value
    elif operation == COS:
        value, slope = cos(x), -sin(x)
        bend = -value
    elif operation == TAN:
        value = tan(x)
        slope = 1.0 + value * value
        bend = 2.0 * value * slope
    elif operation == ASIN and abs(x) < 1.0:
        value, slope = asin(x), 1.0 / sqrt(1.0 - x * x)
        bend = x * slope ** 3
    elif operation == ACOS and abs(x) < 1.0:
        value, slope = acos(x), -1.0 / sqrt(1.0 - x * x)
        bend = x * slope ** 3
    elif operation == ATAN:
        value, slope = atan(x), 1.0 / (1.0 + x * x)
        bend = -2.0 * x * slope * slope
    elif operation == EXP:
        value = slope = bend = exp(x)
    elif operation == LOG and x > 0.0:
        value, slope = log(x), 1.0 / x
        bend = -slope * slope
    elif operation == ABS:
        value, slope, bend = abs(x), 1.0 if x >= 0.0 else -1.0, 0.0
    a[0], a[1], a[2] = value, slope * a[1], bend * a[1] * a[1] + slope * a[2]


@kernel
def _of_two(operation, a, b):
    """Replace the jet a by a function of a and b."""
    x, dx, ddx, y, dy, ddy = a[0], a[1], a[2], b[0], b[1], b[2]
    if operation == ADD:
        a[0], a[1], a[2] = x + y, dx + dy, ddx + ddy
    elif operation == SUBTRACT:
        a[0], a[1], a[2] = x - y, dx - dy, ddx - ddy
    elif operation == MULTIPLY:
        a[0], a[1], a[2] = x * y, dx * y + x * dy, ddx * y + 2.0 * dx * dy + x * ddy
    elif operation == DIVIDE:
        value = x / y if y != 0.0 else float('nan')
        slope = (dx - value * dy) / y if y != 0.0 else float('nan')
        a[0], a[1], a[2] = value, slope, (
            (ddx - 2.0 * slope * dy - value * ddy) / y if y != 0.0 else float('nan'))
    elif operation == POWER:
        _power(a, b)
    elif operation == ATAN2:
        square = x * x + y * y if x != 0.0 or y != 0.0 else float('nan')
        slope = (y * dx - x * dy) / square
        a[0], a[1], a[2] = atan2(x, y), slope, (
            (y * ddx - x * ddy) - 2.0 * slope * (x * dx + y * dy)) / square
    elif operation == HYPOT:
        value = sqrt(x * x + y * y)
        inverse = 1.0 / value if value > 0.0 else float('nan')
        slope = (x * dx + y * dy) * inverse
        a[0], a[1], a[2] = value, slope, (
            dx * dx + x * ddx + dy * dy + y * ddy - slope * slope) * inverse
    elif (operation == MIN and y < x) or (operation == MAX and y > x):
        a[0], a[1], a[2] = y, dy, ddy


@kernel
def _power(a, b):
    """Replace a by a ** b; where b varies, a must be positive."""
    x, dx, ddx, y, dy, ddy = a[0], a[1], a[2], b[0], b[1], b[2]
    nan = float('nan')
    if dy == 0.0 and ddy == 0.0 and (x > 0.0 or y == round(y)) and (x != 0.0 or y >= 0.0):
        slope = y * x ** (y - 1.0) if y != 0.0 and (x != 0.0 or y >= 1.0) else 0.0
        bend = y * (y - 1.0) * x ** (y - 2.0) if (
            y != 0.0 and y != 1.0 and (x != 0.0 or y >= 2.0)) else 0.0
        a[0], a[1], a[2] = x ** y, slope * dx, bend * dx * dx + slope * ddx
    elif x > 0.0:
        rate = dy * log(x) + y * dx / x
        a[0] = x ** y
        a[1] = a[0] * rate
        a[2] = a[0] * (rate * rate + ddy * log(x) + 2.0 * dy * dx / x
                       + y * (ddx * x - dx * dx) / (x * x))
    else:
        a[0], a[1], a[2] = nan, nan, nan


@EXPRESSIONS.separate(void, int64[::1], float64[::1], float64, float64[:, ::1])
def run(operations, numbers, x, stack):
    """Run a program at x; stack (DEPTH, 3) is overwritten, stack[0] is the result's jet.

    operations, numbers (length): what to do, and the number of each NUMBER.  Outside the domain of
    a function the result is not a number.
    """
    top = -1
    for k in range(operations.size):
        operation = operations[k]
        if operation == NUMBER:
            top += 1
            stack[top, 0], stack[top, 1], stack[top, 2] = numbers[k], 0.0, 0.0
        elif operation == VARIABLE:
            top += 1
            stack[top, 0], stack[top, 1], stack[top, 2] = x, 1.0, 0.0
        elif operation == NEGATE or SQRT <= operation <= ABS:
            _of_one(operation, stack[top])
        else:
            top -= 1
            _of_two(operation, stack[top], stack[top + 1])
        if k + 1 == operations.size or operations[k + 1] < 0:
            break
