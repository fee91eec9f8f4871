// Rotation vectors.  Needs no ROS.

#ifndef MB_REALTIME__ROTATION_HPP_
#define MB_REALTIME__ROTATION_HPP_

#include <algorithm>
#include <array>
#include <cmath>

#include "mb_realtime/estimator.hpp"

namespace mb_realtime
{

// Write the rotation vector [rad] of a quaternion x, y, z, w of any length, by less than half a turn;
// NaN where it is none.  For small angles by the series of a / sin(a / 2).
inline void rotation_vector(std::array<double, 4> quaternion, double * vector)
{
  constexpr double SMALL = 1e-3;
  const auto square = [&quaternion](int count) {
      double sum = 0.0;
      for (int k = 0; k < count; ++k) {
        sum += quaternion[k] * quaternion[k];
      }
      return sum;
    };
  const double size = std::sqrt(square(4));
  if (!(std::isfinite(size) && size > 0.0)) {
    std::fill_n(vector, 3, NO_READING);
    return;
  }
  const double sign = quaternion[3] < 0.0 ? -1.0 : 1.0;
  for (double & one : quaternion) {
    one = sign * (one / size);
  }
  const double angle = 2.0 * std::atan2(std::sqrt(square(3)), quaternion[3]);
  const double squared = angle * angle;
  const double scale = angle <= SMALL ?
    2.0 + squared / 12.0 + 7.0 * squared * squared / 2880.0 : angle / std::sin(angle / 2.0);
  for (int k = 0; k < 3; ++k) {
    vector[k] = scale * quaternion[k];
  }
}

}  // namespace mb_realtime

#endif  // MB_REALTIME__ROTATION_HPP_
