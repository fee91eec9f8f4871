"""The constraints of a mechanism and the products of their derivatives, for factor graphs."""

from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.kernels import constraints


@dataclass(frozen=True)
class ConstraintTerms:
    """Constraints at q, qd, qdd: equations (m) and matrices (m, n).

    Source: Blanco-Claraco et al. 2021, Eqs. (36)-(42) and Appendix III, here for every kind of
    constraint, those that depend on time included.
    """

    phi: FloatArray                     # (m)
    phi_t: FloatArray                   # (m), of prescribed coordinates
    phi_tt: FloatArray                  # (m)
    phi_q: FloatArray
    phi_q_dot: FloatArray               # phi_qq qd, also the derivative of phi_q qd by q
    phi_qq_qdd: FloatArray              # the derivative of phi_q qdd by q
    phi_q_dot_q_qd: FloatArray          # (phi_q_dot)_q qd, the derivative of phi_q_dot qd by q
    qd: FloatArray                      # (n)
    qdd: FloatArray                     # (n)

    @property
    def velocity_error(self):
        """phi_q qd + phi_t (m); its derivatives by q and qd are phi_q_dot and phi_q."""
        return self.phi_q @ self.qd + self.phi_t

    @property
    def acceleration_error(self):
        """phi_q qdd + phi_q_dot qd + phi_tt (m); its derivative by qdd is phi_q."""
        return self.phi_q @ self.qdd + self.phi_q_dot @ self.qd + self.phi_tt

    @property
    def acceleration_error_q(self):
        """Derivative of the acceleration error by q (m, n)."""
        return self.phi_qq_qdd + self.phi_q_dot_q_qd

    @property
    def acceleration_error_qd(self):
        """Derivative of the acceleration error by qd (m, n)."""
        return 2.0 * self.phi_q_dot


def constraint_terms(mechanism, work, q, qd, qdd):
    """Return the ConstraintTerms at any q, qd, qdd (n), solved or not.

    work: a workspace of the mechanism with the driven entries of a time, see kernels.time.
    """
    n, m, n_total = mechanism.n, mechanism.m, int(mechanism.model['n_total'][0])
    record, state = mechanism.model[0], []
    for name, values in (('q', q), ('qd', qd), ('qdd', qdd)):
        full = work[name][0].copy()
        full[:n] = values
        state.append(full)
    phi, phi_q = np.empty(m), np.empty((m, n_total))
    constraints.evaluate(record, state[0], phi, phi_q)
    products = [np.empty((m, n_total)) for _ in range(3)]
    constraints.second(record, state[0], state[1], products[0])
    constraints.second(record, state[0], state[2], products[1])
    constraints.third(record, state[0], state[1], state[1], products[2])
    phi_t, phi_tt = (phi_q[:, n:] @ rate[n:n_total] for rate in state[1:])
    return ConstraintTerms(phi, phi_t, phi_tt, phi_q[:, :n], *(p[:, :n] for p in products),
                           state[1][:n], state[2][:n])
