// How long a reading takes to become an estimate in another process, through ROS and back.
//
//     ros2 run mb_realtime latency FOLDER/PLUGIN.so READINGS RATE SECONDS
//
// Publishes readings of all sensors of an estimator, once a period, and subscribes to
// /estimator/state.  READINGS: a file of doubles, channels of all sensors, row after row, which are
// read from the start again and again.  Prints how many readings were sent and how many estimates
// came, and their times from before the first message of a stamp is published until the callback
// [us]: median, 99 %, largest.

#include <rclcpp/rclcpp.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "mb_realtime/messages.hpp"
#include "mb_realtime/readings.hpp"

namespace mb_realtime
{

using Clock = std::chrono::steady_clock;
using mb_interfaces::msg::MechanismState;
using sensor_msgs::msg::Imu;
using sensor_msgs::msg::JointState;

class Source : public rclcpp::Node
{
public:
  Source(const mb_estimator_api & api, std::vector<double> rows, std::size_t count, double rate)
  : Node("latency"), api_(api), rows_(std::move(rows)), sent_(count), period_(1.0 / rate),
    begin_(now().nanoseconds())
  {
    times_.reserve(count);
    const auto qos = rclcpp::QoS(5000).reliable().transient_local();
    for (const auto & topic : topics_of(api)) {
      if (topic.type == IMU) {
        imus_.push_back({topic, create_publisher<Imu>(topic.name, qos)});
      } else if (topic.type == JOINT_STATE) {
        joints_.push_back({topic, create_publisher<JointState>(topic.name, qos)});
      } else {
        throw std::invalid_argument(topic.name + ": expected sensors of joints, or an IMU");
      }
    }
    estimates_ = create_subscription<MechanismState>(
      "/estimator/state", qos, [this](const MechanismState & message) {
        const auto at = Clock::now();
        const double number = (nanoseconds(message.header.stamp) - begin_) * 1e-9 / period_;
        const auto k = static_cast<std::size_t>(std::llround(number));
        if (number > -0.5 && k < sent_.size()) {
          times_.push_back(std::chrono::duration<double, std::micro>(at - sent_[k]).count());
        }
      });
  }

  bool is_heard() const
  {
    const auto has = [](const auto & one) {return one.second->get_subscription_count() > 0;};
    return estimates_->get_publisher_count() && std::all_of(imus_.begin(), imus_.end(), has) &&
           std::all_of(joints_.begin(), joints_.end(), has);
  }

  void run()
  {
    const auto first = Clock::now();
    for (std::size_t k = 0; k < sent_.size() && rclcpp::ok(); ++k) {
      std::this_thread::sleep_until(
        first + std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(k * period_)));
      const double * row = rows_.data() + k * api_.channels % rows_.size();
      const auto stamp = stamp_of(begin_ + std::llround(k * period_ * 1e9));
      sent_[k] = Clock::now();
      for (const auto & [topic, publisher] : joints_) {
        publisher->publish(joint_state(topic, row, stamp));
      }
      for (const auto & [topic, publisher] : imus_) {
        publisher->publish(imu(topic, row, stamp));
      }
    }
  }

  // Print what has come, once nothing comes any more.
  void report()
  {
    std::sort(times_.begin(), times_.end());
    const auto at = [this](double share) {
        return times_.empty() ? 0.0 : times_[static_cast<std::size_t>(
                   share * (times_.size() - 1))];
      };
    std::printf("%zu %zu %.1f %.1f %.1f\n", sent_.size(), times_.size(), at(0.5), at(0.99), at(1.0));
  }

private:
  static JointState joint_state(
    const Topic & topic, const double * row, const builtin_interfaces::msg::Time & stamp)
  {
    JointState message;
    message.header.stamp = stamp;
    for (const auto * sensor : topic.sensors) {
      const std::string field = sensor->field;
      auto & values = field == "position" ? message.position : field == "velocity" ?
        message.velocity : message.effort;
      for (int i = 0; i < sensor->count; ++i) {
        message.name.push_back(sensor->parts[i]);
        values.resize(message.name.size() - 1, NO_READING);
        values.push_back(row[sensor->first + i]);
      }
    }
    for (auto * values : {&message.position, &message.velocity, &message.effort}) {
      if (!values->empty()) {
        values->resize(message.name.size(), NO_READING);
      }
    }
    return message;
  }

  static Imu imu(
    const Topic & topic, const double * row, const builtin_interfaces::msg::Time & stamp)
  {
    Imu message;
    message.header.stamp = stamp;
    message.orientation_covariance[0] = message.angular_velocity_covariance[0] =
      message.linear_acceleration_covariance[0] = -1.0;
    for (const auto * sensor : topic.sensors) {
      const bool turns = sensor->field == std::string("angular_velocity");
      auto & vector = turns ? message.angular_velocity : message.linear_acceleration;
      (turns ? message.angular_velocity_covariance :
      message.linear_acceleration_covariance)[0] = 1.0;
      for (int i = 0; i < sensor->count; ++i) {
        const char axis = sensor->parts[i][0];
        (axis == 'x' ? vector.x : axis == 'y' ? vector.y : vector.z) = row[sensor->first + i];
      }
    }
    return message;
  }

  const mb_estimator_api & api_;
  std::vector<double> rows_, times_;
  std::vector<Clock::time_point> sent_;
  double period_;
  std::int64_t begin_;
  std::vector<std::pair<Topic, rclcpp::Publisher<JointState>::SharedPtr>> joints_;
  std::vector<std::pair<Topic, rclcpp::Publisher<Imu>::SharedPtr>> imus_;
  rclcpp::Subscription<MechanismState>::SharedPtr estimates_;
};

}  // namespace mb_realtime

int main(int count, char ** arguments)
{
  const auto words = rclcpp::init_and_remove_ros_arguments(count, arguments);
  if (words.size() != 5) {
    std::fprintf(stderr, "expected PLUGIN READINGS RATE SECONDS\n");
    return 2;
  }
  const mb_realtime::Plugin plugin(words[1]);
  std::ifstream file(words[2], std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<double> rows(bytes.size() / sizeof(double));
  std::copy_n(bytes.data(), rows.size() * sizeof(double), reinterpret_cast<char *>(rows.data()));
  const double rate = std::atof(words[3].c_str());
  const auto source = std::make_shared<mb_realtime::Source>(
    plugin.api(), rows, static_cast<std::size_t>(rate * std::atof(words[4].c_str())), rate);
  std::thread hearing([&source] {rclcpp::spin(source);});
  while (rclcpp::ok() && !source->is_heard()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  source->run();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  rclcpp::shutdown();
  hearing.join();
  source->report();
  return 0;
}
