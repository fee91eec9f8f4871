// From an estimator to its messages.

#ifndef MB_REALTIME__MESSAGES_HPP_
#define MB_REALTIME__MESSAGES_HPP_

#include <cstdint>
#include <limits>

#include "builtin_interfaces/msg/time.hpp"
#include "mb_interfaces/msg/estimator_status.hpp"
#include "mb_interfaces/msg/mechanism_state.hpp"
#include "mb_realtime/estimator.hpp"
#include "mb_realtime/sampler.hpp"
#include "mb_realtime/wiring.hpp"
#include "mb_stream.h"

namespace mb_realtime
{

inline std::int64_t nanoseconds(const builtin_interfaces::msg::Time & stamp)
{
  return stamp.sec * SECOND + stamp.nanosec;
}

inline builtin_interfaces::msg::Time stamp_of(std::int64_t nanoseconds)
{
  builtin_interfaces::msg::Time stamp;
  stamp.sec = static_cast<std::int32_t>(nanoseconds / SECOND);
  stamp.nanosec = static_cast<std::uint32_t>(nanoseconds % SECOND);
  return stamp;
}

// Return a MechanismState with the names of an estimator, for refill().
inline mb_interfaces::msg::MechanismState mechanism_state(const mb_estimator_api & api)
{
  mb_interfaces::msg::MechanismState message;
  message.header.frame_id = message.mechanism = api.machine;
  message.independent = names_of(api.degree_names, api.degrees);
  message.coordinates = names_of(api.coordinate_names, api.coordinates);
  return message;
}

// Write the estimate e of a stamp to a MechanismState.
inline void refill(
  mb_interfaces::msg::MechanismState & message, const mb_estimator_api & api, void * e,
  std::int64_t stamp)
{
  const auto put = [](auto & into, const double * values, int count) {
      into.assign(values, values + count);
    };
  message.header.stamp = stamp_of(stamp);
  put(message.z, api.z(e), api.degrees);
  put(message.zd, api.zd(e), api.degrees);
  put(message.zdd, api.zdd(e), api.degrees);
  put(message.q, api.q(e), api.coordinates);
  put(message.qd, api.qd(e), api.coordinates);
  put(message.qdd, api.qdd(e), api.coordinates);
  message.covariance.resize(api.motion_states * api.motion_states);
  api.covariance(e, message.covariance.data());
  if (api.force) {
    put(message.generalized_force, api.force(e), api.degrees);
  }
}

// Return an EstimatorStatus with what stays the same.
inline mb_interfaces::msg::EstimatorStatus estimator_status(const mb_estimator_api & api)
{
  mb_interfaces::msg::EstimatorStatus message;
  message.estimator = api.filter;
  message.header.frame_id = api.machine;
  message.force_probability = std::numeric_limits<double>::quiet_NaN();
  message.parameters.resize(api.parameters);
  for (int k = 0; k < api.parameters; ++k) {
    message.parameters[k].name = api.parameter_names[k];
  }
  return message;
}

// Write how the readings of a stamp fitted, and what has become of all, to an EstimatorStatus.
inline void refill(
  mb_interfaces::msg::EstimatorStatus & message, const mb_estimator_api & api, void * e,
  const mb_stream_counts & counts, std::int64_t stamp)
{
  message.header.stamp = stamp_of(stamp);
  message.nis = api.nis(e);
  for (int k = 0; k < api.parameters; ++k) {
    auto & one = message.parameters[k];
    one.value = api.parameter(e, k, &one.standard_deviation);
  }
  message.readings_used = counts.used;
  message.readings_rejected = counts.rejected;
  message.readings_late = counts.late;
  message.readings_missing = counts.missing;
}

}  // namespace mb_realtime

#endif  // MB_REALTIME__MESSAGES_HPP_
