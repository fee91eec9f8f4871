// From messages of readings to the channels of an estimator, and from it to its messages.

#ifndef MB_REALTIME__MESSAGES_HPP_
#define MB_REALTIME__MESSAGES_HPP_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "builtin_interfaces/msg/time.hpp"
#include "mb_interfaces/msg/mechanism_state.hpp"
#include "mb_realtime/estimator.hpp"
#include "mb_realtime/wiring.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/joint_state.hpp"

namespace mb_realtime
{

constexpr std::int64_t SECOND = 1000000000;     // [ns]

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

// The sensors of one topic.
struct Topic
{
  std::string name, type;
  std::vector<const mb_estimator_sensor *> sensors;
};

// Return the topics of an estimator's sensors.  Throws std::invalid_argument for messages that are
// not read here.
inline std::vector<Topic> topics_of(const mb_estimator_api & api)
{
  std::vector<Topic> topics;
  for (int k = 0; k < api.sensors; ++k) {
    const auto & sensor = api.sensor_list[k];
    const std::string type = sensor.message;
    if ((type != JOINT_STATE && type != IMU) || !*sensor.field) {
      throw std::invalid_argument(
              std::string(sensor.name) + ": messages of " + sensor.kind + ", " + type +
              ": not read here, expected sensors of joints, gyroscopes or accelerometers");
    }
    Topic * own = nullptr;
    for (auto & topic : topics) {
      own = topic.name == sensor.topic ? &topic : own;
    }
    if (!own) {
      topics.push_back({sensor.topic, type, {}});
      own = &topics.back();
    }
    own->sensors.push_back(&sensor);
  }
  return topics;
}

// Write the readings in a JointState, NaN where it has none; returns how many.  Of a topic of one sensor the only joint may
// have no name.
inline int take(
  const Topic & topic, const sensor_msgs::msg::JointState & message, double * readings)
{
  int count = 0;
  for (const auto * sensor : topic.sensors) {
    std::fill_n(readings + sensor->first, sensor->count, NO_READING);
    const auto & values = !std::strcmp(sensor->field, "position") ? message.position :
      !std::strcmp(sensor->field, "velocity") ? message.velocity : message.effort;
    for (int i = 0; i < sensor->count; ++i) {
      std::size_t at = 0;
      while (at < message.name.size() && message.name[at] != sensor->parts[i]) {
        ++at;
      }
      const bool is_only = message.name.empty() && values.size() == 1 &&
        topic.sensors.size() == 1 && sensor->count == 1;
      if (at < values.size() && (at < message.name.size() || is_only) && std::isfinite(values[at])) {
        readings[sensor->first + i] = values[at];
        ++count;
      }
    }
  }
  return count;
}

// The same of an Imu, which says by a covariance of -1 that it has no such vector.
inline int take(const Topic & topic, const sensor_msgs::msg::Imu & message, double * readings)
{
  int count = 0;
  for (const auto * sensor : topic.sensors) {
    std::fill_n(readings + sensor->first, sensor->count, NO_READING);
    const bool turns = !std::strcmp(sensor->field, "angular_velocity");
    const auto & vector = turns ? message.angular_velocity : message.linear_acceleration;
    if ((turns ? message.angular_velocity_covariance : message.linear_acceleration_covariance)[0] ==
      -1.0)
    {
      continue;
    }
    for (int i = 0; i < sensor->count; ++i) {
      const char axis = sensor->parts[i][0];
      const double value = axis == 'x' ? vector.x : axis == 'y' ? vector.y : vector.z;
      if (std::isfinite(value)) {
        readings[sensor->first + i] = value;
        ++count;
      }
    }
  }
  return count;
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

}  // namespace mb_realtime

#endif  // MB_REALTIME__MESSAGES_HPP_
