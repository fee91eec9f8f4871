// An estimator as a lifecycle component of rclcpp, with the topics of the estimator node.
//
// Readings are put in the order of their stamps, and late ones where they belong, as the node does.

#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mb_interfaces/msg/estimator_status.hpp"
#include "mb_realtime/messages.hpp"
#include "mb_realtime/stream.hpp"
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
    declare_parameter("status_period", 0.1);
    declare_parameter("first_reading", true);
    const std::pair<const char *, double> settings[] = {
      {"reorder_window", 1.0}, {"history_length", 0.0}, {"longest_gap", 10.0},
      {"start_time", 0.0}, {"nis_bound", 100.0}, {"nis_time", 1.0}};
    for (const auto & [name, value] : settings) {
      declare_parameter(name, value);
    }
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
  {
    try {
      status_period_ = static_cast<std::int64_t>(
        get_parameter("status_period").as_double() * SECOND);
      stream_ = std::make_unique<Stream>(
        get_parameter("library").as_string(),
        [this](mb_stream_settings & settings) {choose(settings);},
        [this](std::int64_t stamp) {publish(stamp);});
      topics_ = topics_of(stream_->api());
      readings_.resize(stream_->api().channels);
    } catch (const std::exception & error) {
      RCLCPP_ERROR(get_logger(), "%s", error.what());
      return CallbackReturn::FAILURE;
    }
    const auto & api = stream_->api();
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
    RCLCPP_INFO(get_logger(), "%s on %s", api.filter, api.machine);
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_activate(const rclcpp_lifecycle::State & state) override
  {
    if (newest_) {
      begin();
    }
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
    stream_.reset();
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
            take(topics_[k], message, readings_.data());
            add(topics_[k], nanoseconds(message.header.stamp));
          }
        }));
  }

  void choose(mb_stream_settings & settings)
  {
    const auto number = [this](const char * name) {return get_parameter(name).as_double();};
    settings.reorder_window = number("reorder_window");
    settings.history_length = number("history_length");
    settings.longest_gap = number("longest_gap");
    settings.start_time = number("start_time");
    settings.nis_bound = number("nis_bound");
    settings.nis_time = number("nis_time");
    settings.first_reading = get_parameter("first_reading").as_bool();
  }

  void begin()
  {
    stream_->reset();
    newest_ = last_status_ = 0;
    has_ended_ = false;
  }

  void add(const Topic & topic, std::int64_t stamp)
  {
    begun_ = Clock::now();
    stream_->add(stamp, topic.sensors, readings_.data());
    const std::string end = stream_->end();
    if (!has_ended_ && !end.empty()) {
      RCLCPP_ERROR(get_logger(), "%s has diverged: %s", stream_->api().filter, end.c_str());
    }
    has_ended_ = !end.empty();
  }

  void publish(std::int64_t stamp)
  {
    const auto & api = stream_->api();
    status_message_.step_time = std::chrono::duration<double>(Clock::now() - begun_).count();
    newest_ = stamp;
    refill(state_message_, api, stream_->estimator(), newest_);
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
      status_message_.nis = api.nis(stream_->estimator());
      const auto counts = stream_->counts();
      status_message_.readings_used = counts.used;
      status_message_.readings_rejected = counts.rejected;
      status_message_.readings_late = counts.late;
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
    status.hardware_id = stream_->api().machine;
    status.level = has_ended_ ? DiagnosticStatus::ERROR :
      newest_ ? DiagnosticStatus::OK : DiagnosticStatus::WARN;
    status.message = has_ended_ ? stream_->end() : newest_ ? "estimating" : "no readings yet";
    const auto add = [&status](const std::string & key, std::uint64_t number) {
        diagnostic_msgs::msg::KeyValue pair;
        pair.key = key;
        pair.value = std::to_string(number);
        status.values.push_back(pair);
      };
    const auto counts = stream_->counts();
    add("readings used", counts.used);
    add("readings rejected", counts.rejected);
    add("readings late", counts.late);
    add("readings missing", counts.missing);
    add("instants taken early, memory full", counts.crowded);
    add("starts anew", counts.begun);
    message.status.push_back(status);
    diagnostics_->publish(message);
  }

  std::unique_ptr<Stream> stream_;
  std::vector<double> readings_;
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
  Clock::time_point begun_;
  bool has_ended_ = false;
  std::int64_t newest_ = 0, last_status_ = 0, status_period_ = 0;       // stamps [ns]
};

}  // namespace mb_realtime

RCLCPP_COMPONENTS_REGISTER_NODE(mb_realtime::EstimatorComponent)
