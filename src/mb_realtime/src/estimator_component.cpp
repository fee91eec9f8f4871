// An estimator as a lifecycle component of rclcpp, with the topics of the estimator node.
//
// Readings are taken in the order in which they arrive.  Those older than the estimate are late:
// counted and left out.

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "mb_interfaces/msg/estimator_status.hpp"
#include "mb_realtime/estimator.hpp"
#include "mb_realtime/messages.hpp"
#include "std_srvs/srv/trigger.hpp"

namespace mb_realtime
{

using CallbackReturn = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;
using diagnostic_msgs::msg::DiagnosticArray;
using diagnostic_msgs::msg::DiagnosticStatus;
using mb_interfaces::msg::EstimatorStatus;
using mb_interfaces::msg::MechanismState;
using sensor_msgs::msg::Imu;
using sensor_msgs::msg::JointState;
using Clock = std::chrono::steady_clock;

class EstimatorComponent : public rclcpp_lifecycle::LifecycleNode
{
public:
  explicit EstimatorComponent(const rclcpp::NodeOptions & options)
  : LifecycleNode("estimator", options)
  {
    declare_parameter("library", "");
    declare_parameter("longest_gap", StepSettings().longest_gap);
    declare_parameter("status_period", 0.1);
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
  {
    try {
      StepSettings settings;
      settings.longest_gap = get_parameter("longest_gap").as_double();
      status_period_ = static_cast<std::int64_t>(
        get_parameter("status_period").as_double() * SECOND);
      estimator_ = std::make_unique<Estimator>(get_parameter("library").as_string(), settings);
      topics_ = topics_of(estimator_->api());
    } catch (const std::exception & error) {
      RCLCPP_ERROR(get_logger(), "%s", error.what());
      return CallbackReturn::FAILURE;
    }
    const auto & api = estimator_->api();
    const auto stream = rclcpp::QoS(1000).reliable().transient_local();
    state_ = create_publisher<MechanismState>("~/state", stream);
    joints_ = create_publisher<JointState>("~/joint_states", stream);
    status_ = create_publisher<EstimatorStatus>("~/status", stream);
    diagnostics_ = create_publisher<DiagnosticArray>("/diagnostics", 10);
    state_message_ = mechanism_state(api);
    joints_message_.name = state_message_.coordinates;
    status_message_.estimator = api.filter;
    status_message_.header.frame_id = api.machine;
    for (std::size_t k = 0; k < topics_.size(); ++k) {
      if (topics_[k].type == IMU) {
        subscribe<Imu>(k);
      } else {
        subscribe<JointState>(k);
      }
    }
    reset_ = create_service<std_srvs::srv::Trigger>(
      "~/reset", [this](const std_srvs::srv::Trigger::Request::SharedPtr,
      std_srvs::srv::Trigger::Response::SharedPtr response) {
        begin();
        response->success = true;
        response->message = "waiting for readings";
      });
    timer_ = create_wall_timer(std::chrono::seconds(1), [this] {diagnose();});
    RCLCPP_INFO(
      get_logger(), "%s on %s, readings in the order of their arrival: late ones are left out",
      api.filter, api.machine);
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_activate(const rclcpp_lifecycle::State & state) override
  {
    begin();
    return LifecycleNode::on_activate(state);
  }

  CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) override
  {
    subscriptions_.clear();
    reset_.reset();
    timer_.reset();
    state_.reset();
    joints_.reset();
    status_.reset();
    diagnostics_.reset();
    estimator_.reset();
    return CallbackReturn::SUCCESS;
  }

private:
  template<typename Message>
  void subscribe(std::size_t k)
  {
    subscriptions_.push_back(
      create_subscription<Message>(
        topics_[k].name, rclcpp::QoS(5000).reliable().transient_local(),
        [this, k](const Message & message) {
          if (state_->is_activated()) {
            const int count = take(topics_[k], message, estimator_->readings());
            step(nanoseconds(message.header.stamp), count);
          }
        }));
  }

  void begin()
  {
    estimator_->reset();
    newest_ = last_status_ = 0;
    status_message_.readings_used = status_message_.readings_rejected = 0;
    status_message_.readings_late = 0;
  }

  void step(std::int64_t stamp, int count)
  {
    if (newest_ && stamp < newest_) {
      status_message_.readings_late += count;
      estimator_->forget();
      return;
    }
    if (!count) {
      status_message_.readings_rejected += 1;
      return;
    }
    if (estimator_->has_ended()) {
      return;
    }
    const auto before = Clock::now();
    const double period = newest_ ? static_cast<double>(stamp - newest_) / SECOND : 0.0;
    const auto status = estimator_->step(period);
    status_message_.step_time = std::chrono::duration<double>(Clock::now() - before).count();
    newest_ = stamp;
    if (estimator_->has_ended()) {
      RCLCPP_ERROR(
        get_logger(), "%s has diverged: %s", estimator_->api().filter,
        estimator_->api().words(status));
      return;
    }
    status_message_.readings_used += estimator_->used();
    status_message_.readings_rejected += count - estimator_->used();
    publish();
  }

  void publish()
  {
    refill(state_message_, *estimator_, newest_);
    state_->publish(state_message_);
    if (joints_->get_subscription_count()) {
      joints_message_.header.stamp = state_message_.header.stamp;
      joints_message_.position = state_message_.q;
      joints_message_.velocity = state_message_.qd;
      joints_->publish(joints_message_);
    }
    if (newest_ - last_status_ >= status_period_) {
      last_status_ = newest_;
      status_message_.header.stamp = state_message_.header.stamp;
      status_message_.nis = estimator_->nis();
      status_->publish(status_message_);
    }
  }

  void diagnose()
  {
    if (!state_->is_activated()) {
      return;
    }
    DiagnosticArray message;
    message.header.stamp = now();
    DiagnosticStatus status;
    status.name = std::string(get_name()) + ": estimation";
    status.hardware_id = estimator_->api().machine;
    status.level = estimator_->has_ended() ? DiagnosticStatus::ERROR :
      newest_ ? DiagnosticStatus::OK : DiagnosticStatus::WARN;
    status.message = !newest_ ? "no readings yet" : estimator_->has_ended() ?
      estimator_->api().words(estimator_->status()) : "estimating";
    const auto add = [&status](const std::string & key, std::uint64_t number) {
        diagnostic_msgs::msg::KeyValue pair;
        pair.key = key;
        pair.value = std::to_string(number);
        status.values.push_back(pair);
      };
    add("readings used", status_message_.readings_used);
    add("readings rejected", status_message_.readings_rejected);
    add("readings late", status_message_.readings_late);
    add("restarts after gaps", estimator_->restarts());
    message.status.push_back(status);
    diagnostics_->publish(message);
  }

  std::unique_ptr<Estimator> estimator_;
  std::vector<Topic> topics_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp_lifecycle::LifecyclePublisher<MechanismState>::SharedPtr state_;
  rclcpp_lifecycle::LifecyclePublisher<JointState>::SharedPtr joints_;
  rclcpp_lifecycle::LifecyclePublisher<EstimatorStatus>::SharedPtr status_;
  rclcpp::Publisher<DiagnosticArray>::SharedPtr diagnostics_;
  rclcpp::Service<std_srvs::srv::Trigger>::SharedPtr reset_;
  rclcpp::TimerBase::SharedPtr timer_;
  MechanismState state_message_;
  JointState joints_message_;
  EstimatorStatus status_message_;
  std::int64_t newest_ = 0, last_status_ = 0, status_period_ = 0;       // stamps [ns]
};

}  // namespace mb_realtime

RCLCPP_COMPONENTS_REGISTER_NODE(mb_realtime::EstimatorComponent)
