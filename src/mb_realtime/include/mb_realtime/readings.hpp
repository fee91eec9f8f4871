// From messages of readings to the channels of an estimator.

#ifndef MB_REALTIME__READINGS_HPP_
#define MB_REALTIME__READINGS_HPP_

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "geometry_msgs/msg/point_stamped.hpp"
#include "geometry_msgs/msg/twist_stamped.hpp"
#include "mb_realtime/estimator.hpp"
#include "mb_realtime/rotation.hpp"
#include "mb_realtime/wiring.hpp"
#include "sensor_msgs/msg/fluid_pressure.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "sensor_msgs/msg/magnetic_field.hpp"
#include "sensor_msgs/msg/range.hpp"
#ifdef MB_REALTIME_HAS_CONTROL_MSGS
#include "control_msgs/msg/dynamic_joint_state.hpp"
#endif

namespace mb_realtime
{

// The sensors of one topic.
struct Topic
{
  std::string name, type;
  Sensors sensors;
};

// Return the topics of an estimator's sensors.
inline std::vector<Topic> topics_of(const mb_estimator_api & api)
{
  std::vector<Topic> topics;
  for (int k = 0; k < api.sensors; ++k) {
    const auto & sensor = api.sensor_list[k];
    auto own = std::find_if(
      topics.begin(), topics.end(), [&](const Topic & one) {return one.name == sensor.topic;});
    if (own == topics.end()) {
      own = topics.insert(own, {sensor.topic, sensor.message, {}});
    }
    own->sensors.push_back(&sensor);
  }
  return topics;
}

// The readings of a message: of some sensors of its topic, in `channels` of all sensors of the
// estimator.  A number that is not finite makes a reading that is rejected, and counted.
class Readings
{
public:
  explicit Readings(const mb_estimator_api & api)
  : channels(api.channels, NO_READING)
  {
    sensors.reserve(api.sensors);
  }

  std::vector<double> channels;
  Sensors sensors;

  // Begin with the first channel of a sensor that has a reading; returns its channels.
  double * add(const mb_estimator_sensor & sensor)
  {
    sensors.push_back(&sensor);
    return channels.data() + sensor.first;
  }

  // Count one that is of no use.
  void reject(const Topic & topic)
  {
    const auto & sensor = *topic.sensors.front();
    std::fill_n(add(sensor), sensor.count, NO_READING);
  }
};

namespace parts
{

inline double of_vector(const geometry_msgs::msg::Vector3 & vector, char axis)
{
  return axis == 'x' ? vector.x : axis == 'y' ? vector.y : vector.z;
}

inline const std::vector<double> & of_field(
  const sensor_msgs::msg::JointState & message, const std::string & field)
{
  return field == "position" ? message.position : field == "velocity" ? message.velocity :
         message.effort;
}

// Return where a joint is among the names that have values, the last one of that name, -1: nowhere.
inline int joint(const Names & names, std::size_t count, const char * name)
{
  for (int k = static_cast<int>(std::min(count, names.size())) - 1; k >= 0; --k) {
    if (names[k] == name) {
      return k;
    }
  }
  return -1;
}

inline bool is_broken(const sensor_msgs::msg::JointState & message)
{
  const std::size_t count = message.name.size();
  std::size_t most = 0;
  for (const auto * values : {&message.position, &message.velocity, &message.effort}) {
    if (!values->empty() && values->size() != count) {
      return true;
    }
    most = std::max(most, values->size());
  }
  return !most;
}

inline void numbers(const geometry_msgs::msg::PointStamped & message,
  const mb_estimator_sensor & sensor, double * own)
{
  for (int i = 0; i < sensor.count; ++i) {
    const char axis = sensor.parts[i][0];
    own[i] = axis == 'x' ? message.point.x : axis == 'y' ? message.point.y : message.point.z;
  }
}

inline void numbers(const sensor_msgs::msg::MagneticField & message,
  const mb_estimator_sensor & sensor, double * own)
{
  for (int i = 0; i < sensor.count; ++i) {
    own[i] = of_vector(message.magnetic_field, sensor.parts[i][0]);
  }
}

inline void numbers(const geometry_msgs::msg::TwistStamped & message,
  const mb_estimator_sensor &, double * own)
{
  *own = message.twist.linear.x;
}

inline void numbers(const sensor_msgs::msg::FluidPressure & message,
  const mb_estimator_sensor &, double * own)
{
  *own = message.fluid_pressure;
}

inline void numbers(const sensor_msgs::msg::Range & message,
  const mb_estimator_sensor &, double * own)
{
  *own = message.range;
}

}  // namespace parts

// Write the readings that are in a message: of a type with the numbers of one sensor.
template<typename Message>
void take(const Topic & topic, const Message & message, Readings & readings)
{
  const auto & sensor = *topic.sensors.front();
  parts::numbers(message, sensor, readings.add(sensor));
}

// Messages may have other joints, too, and some of these each.  With several fields a NaN says that
// there is nothing.  The only joint of a topic of one sensor may have no name.
inline void take(
  const Topic & topic, const sensor_msgs::msg::JointState & message, Readings & readings)
{
  const auto & position = message.position, & velocity = message.velocity;
  const bool has_several = !position.empty() + !velocity.empty() + !message.effort.empty() > 1;
  bool any = false;
  for (const auto * sensor : topic.sensors) {
    const auto & values = parts::of_field(message, sensor->field);
    const bool is_only = message.name.empty() && values.size() == 1 && topic.sensors.size() == 1;
    double * own = readings.channels.data() + sensor->first;
    bool is_there = true, is_nothing = false;
    for (int i = 0; is_there && i < sensor->count; ++i) {
      const int at = is_only && sensor->count == 1 ? 0 : parts::joint(
        message.name, values.size(), sensor->parts[i]);
      is_there = at >= 0;
      own[i] = is_there ? values[at] : NO_READING;
      is_nothing |= std::isnan(own[i]);
    }
    any |= is_there;
    if (is_there && !(has_several && is_nothing)) {
      readings.add(*sensor);
    }
  }
  const auto & first = *topic.sensors.front();
  const bool is_own = topic.sensors.size() == 1 && topic.name == first.name;
  if (!any && (is_own || parts::is_broken(message))) {
    readings.reject(topic);
  }
}

// An Imu says by a covariance of -1 that it has no such vector.
inline void take(const Topic & topic, const sensor_msgs::msg::Imu & message, Readings & readings)
{
  for (const auto * sensor : topic.sensors) {
    const std::string field = sensor->field;
    const auto & covariance = field == "orientation" ? message.orientation_covariance :
      field == "angular_velocity" ? message.angular_velocity_covariance :
      message.linear_acceleration_covariance;
    if (covariance[0] == -1.0) {
      continue;
    }
    double * own = readings.add(*sensor);
    if (field == "orientation") {
      const auto & turned = message.orientation;
      rotation_vector({turned.x, turned.y, turned.z, turned.w}, own);
      continue;
    }
    const auto & vector = field == "angular_velocity" ? message.angular_velocity :
      message.linear_acceleration;
    for (int i = 0; i < sensor->count; ++i) {
      own[i] = parts::of_vector(vector, sensor->parts[i][0]);
    }
  }
  if (readings.sensors.empty()) {
    readings.reject(topic);
  }
}

#ifdef MB_REALTIME_HAS_CONTROL_MSGS
// A NaN says that the hardware has not written the interface.
inline void take(
  const Topic & topic, const control_msgs::msg::DynamicJointState & message, Readings & readings)
{
  const auto & all = message.interface_values;
  bool is_whole = !message.joint_names.empty() && all.size() == message.joint_names.size();
  for (const auto & one : all) {
    is_whole &= one.values.size() == one.interface_names.size();
  }
  if (!is_whole) {
    readings.reject(topic);
    return;
  }
  for (std::size_t j = 0; j < all.size(); ++j) {
    for (std::size_t k = 0; k < all[j].values.size(); ++k) {
      for (const auto * sensor : topic.sensors) {
        if (message.joint_names[j] == sensor->parts[0] &&
          all[j].interface_names[k] == sensor->field && !std::isnan(all[j].values[k]))
        {
          *readings.add(*sensor) = all[j].values[k];
        }
      }
    }
  }
}
#endif

template<typename Message>
struct Kind {using Type = Message;};

// Call visit(Kind<Message>()) of a type of messages; returns whether it is read here.
template<typename Visit>
bool with_message(const std::string & type, Visit visit)
{
  if (type == JOINT_STATE) {
    visit(Kind<sensor_msgs::msg::JointState>());
  } else if (type == IMU) {
    visit(Kind<sensor_msgs::msg::Imu>());
  } else if (type == "geometry_msgs/msg/PointStamped") {
    visit(Kind<geometry_msgs::msg::PointStamped>());
  } else if (type == "geometry_msgs/msg/TwistStamped") {
    visit(Kind<geometry_msgs::msg::TwistStamped>());
  } else if (type == "sensor_msgs/msg/MagneticField") {
    visit(Kind<sensor_msgs::msg::MagneticField>());
  } else if (type == "sensor_msgs/msg/FluidPressure") {
    visit(Kind<sensor_msgs::msg::FluidPressure>());
  } else if (type == "sensor_msgs/msg/Range") {
    visit(Kind<sensor_msgs::msg::Range>());
#ifdef MB_REALTIME_HAS_CONTROL_MSGS
  } else if (type == DYNAMIC) {
    visit(Kind<control_msgs::msg::DynamicJointState>());
#endif
  } else {
    return false;
  }
  return true;
}

}  // namespace mb_realtime

#endif  // MB_REALTIME__READINGS_HPP_
