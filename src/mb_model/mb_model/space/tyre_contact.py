"""Where a tyre touches a flat road, what it does there, and how that changes.

values: radius R [m], stiffness k, damping c [N/m, N s/m], cornering stiffness C_y [N/rad], slip
stiffness C_x [N], friction mu (0: none, linear), standstill speed v0 [m/s], the road's normal n
and its height n . r [m], relaxation length sigma [m] (0: none) and the inertia of the
carcass.  The tyre is a thin disc.  With the camber's cosine, cos = |a x n|, the centre's height h
and the loaded radius h / cos it touches the road at p, its deflection is d = R - h / cos, and

    N = (k d + c d') / cos >= 0,   l = a x n / cos,   t = n x l          load, along, across
    s_x = -v_p . l / v,  s_y = -v_p . t / v,  v^2 = (v_c . l)^2 + v0^2    slips of the contact
    F_x = C_x s_x,  F_y = C_y atan(s_y)                                   linear
    F = (1 - psi + psi^2 / 3) P,  P = (C_x s_x, C_y s_y),  psi = |P| / (3 mu N)   Fiala
    F = mu N P / |P|  where psi > 1

v_p: the velocity of the wheel's material at p.  With a relaxation length the carcass deflects by y
across, as in forces.kinds.relaxed_tyre, and s_y = y / sigma in these forces; in the air nothing
slides:

    y' = -v_p . t - v y / sigma

Source: Fiala 1954 and the brush model for both
slips, Pacejka 2012 (Tire and Vehicle Dynamics), Sec. 3.2, with one friction for sticking and
sliding.
"""

from math import atan, sqrt

from mb_model.jit import entry, kernel
from mb_model.space.vectors import cross, dot, plus, times

ZERO = (0.0, 0.0, 0.0)
UNMOVED = 13 * (0.0,)          # no changes of values
_FLAT = 1.0 - 1e-9             # square of the sine of camber: a disc that lies has no contact


@kernel
def deflection_of(values, centre, axis):
    """Return the deflection of the tyre [m], 0 in the air."""
    n = (values[7], values[8], values[9])
    camber = dot(axis, n)
    if camber * camber > _FLAT:
        return 0.0
    return max(values[0] - (dot(centre, n) - values[10]) / sqrt(1.0 - camber * camber), 0.0)


@entry
def contact(values, changes, state, moves):
    """Return what the tyre does where the wheel is, and its change.

    values, changes (13): of the element; state, moves: centre, its velocity, axis and angular
    velocity of the wheel, y, and how they change.  Returns the force (3), its change, the arm from
    the centre to p (3), its change; y' and its change; the power that the spring takes up [W]; the
    share of P that is transmitted, 0 in the air; the speed of slips [m/s] and the cosine of camber.
    """
    c, v, a, w, deflected = state
    dc, dv, da, dw, ddeflected = moves
    bent = dbent = 0.0
    if values[11] > 0.0:
        bent = deflected / values[11]
        dbent = (ddeflected - bent * changes[11]) / values[11]
    n = (values[7], values[8], values[9])
    camber, dcamber = dot(a, n), dot(da, n)
    if camber * camber > _FLAT:
        back, dback = values[6] * bent, values[6] * dbent + changes[6] * bent
        return ZERO, ZERO, ZERO, ZERO, -back, -dback, 0.0, 0.0, values[6], 1.0
    cosine = sqrt(1.0 - camber * camber)
    dcosine = -camber * dcamber / cosine
    along = times(1.0 / cosine, cross(a, n))
    dalong = plus(times(1.0 / cosine, cross(da, n)), along, -dcosine / cosine)
    rolling, drolling = dot(v, along), dot(dv, along) + dot(v, dalong)
    speed = sqrt(rolling * rolling + values[6] * values[6])
    dspeed = (rolling * drolling + values[6] * changes[6]) / speed
    back, dback = speed * bent, speed * dbent + dspeed * bent
    loaded = (dot(c, n) - values[10]) / cosine
    dloaded = (dot(dc, n) - changes[10] - loaded * dcosine) / cosine
    deflection, ddeflection = values[0] - loaded, changes[0] - dloaded
    if deflection <= 0.0:
        return ZERO, ZERO, ZERO, ZERO, -back, -dback, 0.0, 0.0, speed, cosine
    down = times(1.0 / cosine, plus(times(camber, a), n, -1.0))
    ddown = plus(times(1.0 / cosine, plus(times(camber, da), a, dcamber)), down,
                 -dcosine / cosine)
    arm, darm = times(loaded, down), plus(times(loaded, ddown), down, dloaded)
    across, dacross = cross(n, along), cross(n, dalong)
    slide = plus(v, cross(w, arm), 1.0)
    dslide = plus(plus(dv, cross(dw, arm), 1.0), cross(w, darm), 1.0)
    rate = -dot(slide, n) / cosine
    drate = (-dot(dslide, n) - rate * dcosine) / cosine
    stored = values[1] * deflection * rate
    load = (values[1] * deflection + values[2] * rate) / cosine
    if load <= 0.0:
        return ZERO, ZERO, arm, darm, -back, -dback, stored, 0.0, speed, cosine
    dload = (values[1] * ddeflection + changes[1] * deflection + values[2] * drate
             + changes[2] * rate - load * dcosine) / cosine
    x, y = -dot(slide, along) / speed, -dot(slide, across) / speed
    dx = -(dot(dslide, along) + dot(slide, dalong) + x * dspeed) / speed
    dy = -(dot(dslide, across) + dot(slide, dacross) + y * dspeed) / speed
    give, dgive = -back, -dback
    if values[11] > 0.0:
        give, dgive = speed * y - back, speed * dy + dspeed * y - dback
        y, dy = bent, dbent
    fx, dfx = values[4] * x, values[4] * dx + changes[4] * x
    share = 1.0
    if values[5] == 0.0:
        fy, dfy = values[3] * atan(y), values[3] * dy / (1.0 + y * y) + changes[3] * atan(y)
    else:
        fy, dfy = values[3] * y, values[3] * dy + changes[3] * y
        size = sqrt(fx * fx + fy * fy)
        largest, dlargest = values[5] * load, values[5] * dload + changes[5] * load
        dsize = (fx * dfx + fy * dfy) / size if size > 0.0 else 0.0
        psi = size / (3.0 * largest)
        if psi < 1.0:
            share = 1.0 - psi + psi * psi / 3.0
            dshare = (2.0 * psi / 3.0 - 1.0) * (dsize / (3.0 * largest) - psi * dlargest / largest)
        else:
            share = largest / size
            dshare = (dlargest - share * dsize) / size
        fx, dfx = share * fx, share * dfx + dshare * fx
        fy, dfy = share * fy, share * dfy + dshare * fy
    force = plus(plus(times(load, n), along, fx), across, fy)
    dforce = plus(plus(plus(plus(times(dload, n), along, dfx), across, dfy), dalong, fx), dacross,
                  fy)
    return force, dforce, arm, darm, give, dgive, stored, share, speed, cosine
