// Which interface or joint belongs to which number of an estimator.  Needs no ROS.

#ifndef MB_REALTIME__WIRING_HPP_
#define MB_REALTIME__WIRING_HPP_

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "mb_estimator.h"

namespace mb_realtime
{

using Names = std::vector<std::string>;
using Sensors = std::vector<const mb_estimator_sensor *>;

inline std::string joined(const Names & names)
{
  std::string text;
  for (const auto & name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

inline Names names_of(const char * const * names, int count)
{
  return {names, names + count};
}

constexpr char JOINT_STATE[] = "sensor_msgs/msg/JointState";
constexpr char DYNAMIC[] = "control_msgs/msg/DynamicJointState";
constexpr char IMU[] = "sensor_msgs/msg/Imu";

// Return the state interface of each channel: what is given, "" for one that is not read; where
// nothing is given JOINT/position and the like, and TOPIC/angular_velocity.x and the like of an Imu.
// Throws std::invalid_argument where the numbers differ, and for other sensors.
inline Names reading_interfaces(const mb_estimator_api & api, const Names & given)
{
  const Names channels = names_of(api.channel_names, api.channels);
  if (!given.empty()) {
    if (given.size() != channels.size()) {
      throw std::invalid_argument(
              "state_interfaces: " + std::to_string(given.size()) + " names, expected " +
              std::to_string(channels.size()) + ", of " + joined(channels) + " ('': not read)");
    }
    return given;
  }
  Names found(channels.size());
  for (int k = 0; k < api.sensors; ++k) {
    const auto & sensor = api.sensor_list[k];
    const std::string type = sensor.message, field = sensor.field;
    const bool is_imu = type == IMU && field != "orientation";
    if (!is_imu && type != JOINT_STATE && type != DYNAMIC) {
      throw std::invalid_argument(
              "state_interfaces: nothing is known of the interfaces of " +
              std::string(sensor.name) + ", expected names for " + joined(channels));
    }
    for (int i = 0; i < sensor.count; ++i) {
      const std::string part = sensor.parts[i];
      found[sensor.first + i] = is_imu ? sensor.topic + ("/" + field) + "." + part :
        part + "/" + field;
    }
  }
  return found;
}

// Return the interface of each input: what is given, "" for an input that is not known, or none.
// Throws std::invalid_argument where the numbers differ.
inline Names input_interfaces(const mb_estimator_api & api, const Names & given)
{
  if (given.empty()) {
    return Names(api.inputs);
  }
  if (given.size() != static_cast<std::size_t>(api.inputs)) {
    throw std::invalid_argument(
            "input_interfaces: " + std::to_string(given.size()) + " names, expected " +
            std::to_string(api.inputs) + ", of " +
            joined(names_of(api.input_names, api.inputs)) + " ('': not known)");
  }
  return given;
}

// Return the names that are not "", each once, in their order.
inline Names each_once(const Names & names)
{
  Names once;
  for (const auto & name : names) {
    if (!name.empty() && std::find(once.begin(), once.end(), name) == once.end()) {
      once.push_back(name);
    }
  }
  return once;
}

// Return where each name is among those that are there, -1 of "".
// Throws std::invalid_argument for a name that is not there.
inline std::vector<int> places(const Names & names, const Names & there)
{
  std::vector<int> found;
  for (const auto & name : names) {
    const auto at = std::find(there.begin(), there.end(), name);
    if (name.empty()) {
      found.push_back(-1);
    } else if (at == there.end()) {
      throw std::invalid_argument(name + ": not there, expected one of " + joined(there));
    } else {
      found.push_back(static_cast<int>(at - there.begin()));
    }
  }
  return found;
}

}  // namespace mb_realtime

#endif  // MB_REALTIME__WIRING_HPP_
