"""The filter of Mohammad et al. 2025, Alg. 1, in plain numpy: pose of the encoders, and an IMU.

States: pose, its rate, its acceleration (9), in the plane; R and Q of Eq. (11), P at the start of
Sec. IV-B.  Its readings: pose (3), angular velocity, specific force of the IMU (2), Eq. (8).
"""

import numpy as np

POSE, GYRO, SLOPE = 1.2e-1, 1.6e-3, 7e-2                # R of Eq. (11a)
PLANT = 0.1e-1, 1e1, 1e5                                # Q of Eq. (11b)
START = 0.1


def estimate(poses, rates, slopes, place, dt):
    """Return accelerations of the pose (k, 3).

    poses (k, 3) by forward kinematics, rates (k) and slopes (k, 2) of the IMU, whose place (2) is
    in the platform's frame, turned as it is; the robot lies, without gravity in the plane.
    """
    A = np.eye(9) + dt * np.eye(9, k=3) + dt * dt / 2.0 * np.eye(9, k=6)
    Q, R = np.diag(np.repeat(PLANT, 3)), np.diag([POSE] * 3 + [GYRO] + [SLOPE] * 2)
    x, P, found = np.concatenate([poses[0], np.zeros(6)]), START * np.eye(9), []
    for pose, rate, slope in zip(poses, rates, slopes, strict=True):
        x, P = A @ x, A @ P @ A.T + Q
        expected, C = _reading(x, place)
        K = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
        x, P = x + K @ (np.concatenate([pose, [rate], slope]) - expected), P - K @ C @ P
        found.append(x[6:])
    return np.array(found)


def _reading(x, place):
    """Return the readings at a state (9) and their Jacobian (6, 9), Eq. (8) in the plane."""
    turn, rate, spin = x[2], x[5], x[8]
    c, s = np.cos(turn), np.sin(turn)
    back = np.array([[c, s], [-s, c]])                  # to the platform's frame
    across = np.array([-place[1], place[0]])
    slope = back @ x[6:8] + spin * across - rate ** 2 * place
    C = np.zeros((6, 9))
    C[:3, :3] = np.eye(3)
    C[3, 5] = 1.0
    C[4:, 2] = np.array([[-s, c], [-c, -s]]) @ x[6:8]
    C[4:, 5], C[4:, 6:8], C[4:, 8] = -2.0 * rate * place, back, across
    return np.concatenate([x[:3], [rate], slope]), C
