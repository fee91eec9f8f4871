// What an estimator publishes: states, joints and status of every estimate, and of the present.

#ifndef MB_REALTIME__OUTPUTS_HPP_
#define MB_REALTIME__OUTPUTS_HPP_

#include <rclcpp_lifecycle/lifecycle_node.hpp>

#include <cstdint>

#include "mb_realtime/messages.hpp"
#include "mb_realtime/sampler.hpp"
#include "mb_realtime/stream.hpp"
#include "sensor_msgs/msg/joint_state.hpp"

namespace mb_realtime
{

// The publishers of a node, for a Stream.
class Outputs
{
public:
  Outputs(rclcpp_lifecycle::LifecycleNode & node, const Stream & stream, bool of_present)
  : node_(node), stream_(stream)
  {
    const auto qos = rclcpp::QoS(5000).reliable().transient_local();
    states_ = node.create_publisher<mb_interfaces::msg::MechanismState>("~/state", qos);
    joints_ = node.create_publisher<sensor_msgs::msg::JointState>("~/joint_states", qos);
    statuses_ = node.create_publisher<mb_interfaces::msg::EstimatorStatus>("~/status", qos);
    if (of_present) {
      predicted_ = node.create_publisher<mb_interfaces::msg::MechanismState>("~/predicted", qos);
    }
    state_ = mechanism_state(stream.api());
    joint_.name = state_.coordinates;
    status_ = estimator_status(stream.api());
    begin();
  }

  // Publish the next estimate, whatever its stamp.
  void begin()
  {
    states_due_ = Sampler(node_.get_parameter("publish_rate").as_double());
    statuses_due_ = Sampler(node_.get_parameter("status_rate").as_double());
    newest_ = 0;
  }

  std::int64_t newest() const noexcept {return newest_;}        // stamp of the last one [ns]

  // Publish what is due of the estimate of a stamp [ns] that the stream has now.
  void publish(std::int64_t stamp, double step_time)
  {
    const auto & api = stream_.api();
    if (stamp < newest_) {                  // stamps have begun anew
      begin();
    }
    newest_ = stamp;
    if (!states_due_.due(stamp)) {
      return;
    }
    refill(state_, api, stream_.estimator(), stamp);
    states_->publish(state_);
    if (joints_->get_subscription_count()) {
      joint_.header.stamp = state_.header.stamp;
      joint_.position = state_.q;
      joint_.velocity = state_.qd;
      joints_->publish(joint_);
    }
    if (statuses_->get_subscription_count() && statuses_due_.due(stamp)) {
      status_.step_time = step_time;
      refill(status_, api, stream_.estimator(), stream_.counts(), stamp);
      statuses_->publish(status_);
    }
  }

  // Publish what the stream has predicted for a stamp [ns].
  void publish_present(std::int64_t stamp)
  {
    refill(state_, stream_.api(), stream_.estimator(), stamp);
    predicted_->publish(state_);
  }

private:
  rclcpp_lifecycle::LifecycleNode & node_;
  const Stream & stream_;
  rclcpp_lifecycle::LifecyclePublisher<mb_interfaces::msg::MechanismState>::SharedPtr states_,
    predicted_;
  rclcpp_lifecycle::LifecyclePublisher<sensor_msgs::msg::JointState>::SharedPtr joints_;
  rclcpp_lifecycle::LifecyclePublisher<mb_interfaces::msg::EstimatorStatus>::SharedPtr statuses_;
  mb_interfaces::msg::MechanismState state_;
  sensor_msgs::msg::JointState joint_;
  mb_interfaces::msg::EstimatorStatus status_;
  Sampler states_due_, statuses_due_;
  std::int64_t newest_ = 0;
};

}  // namespace mb_realtime

#endif  // MB_REALTIME__OUTPUTS_HPP_
