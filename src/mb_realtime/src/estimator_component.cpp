// An estimator as a lifecycle component of rclcpp, with the name, topics, services and parameters of
// the estimator node.
//
// Readings are put in the order of their stamps, and late ones where they belong, as the node does.

#include <lifecycle_msgs/msg/state.hpp>
#include <rclcpp/create_timer.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <rclcpp_lifecycle/lifecycle_node.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mb_realtime/health.hpp"
#include "mb_realtime/inputs.hpp"
#include "mb_realtime/outputs.hpp"
#include "mb_realtime/readings.hpp"
#include "mb_realtime/stream.hpp"
#include "std_srvs/srv/trigger.hpp"

namespace mb_realtime
{

using CallbackReturn = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;
using sensor_msgs::msg::JointState;
using std_srvs::srv::Trigger;
using Clock = std::chrono::steady_clock;
using State = rclcpp_lifecycle::State;

class EstimatorComponent : public rclcpp_lifecycle::LifecycleNode
{
public:
  // Throws std::runtime_error where it is to start by itself and cannot.
  explicit EstimatorComponent(const rclcpp::NodeOptions & options)
  : LifecycleNode("estimator", options)
  {
    declare_parameter("library", "");
    declare_parameter("first_reading", true);
    declare_parameter("leave_out_repeats", true);
    declare_parameter("known_forces", "");
    declare_parameter("force_joints", Names());
    declare_parameter("command_joints", Names());
    declare_parameter("gates", std::vector<double>());
    const std::pair<const char *, double> settings[] = {
      {"reorder_window", 1.0}, {"history_length", 0.0}, {"longest_gap", 10.0},
      {"sensor_timeout", 1.0}, {"start_time", 0.0}, {"nis_bound", 100.0}, {"nis_time", 1.0},
      {"input_rate", 0.0}, {"publish_rate", 0.0}, {"status_rate", 0.0}, {"prediction_rate", 0.0}};
    for (const auto & [name, value] : settings) {
      declare_parameter(name, value);
    }
    serve("reset", [this] {return begin();});
    serve("pause", [this] {return is_active() && !is_active(deactivate()) ? "paused" : "";});
    serve("resume", [this] {return !is_active() && is_active(activate()) ? "resumed" : "";});
    if (declare_parameter("autostart", true)) {
      configure();
      if (!is_active(activate())) {
        throw std::runtime_error("estimator: not started: " + problem_);
      }
    }
  }

  CallbackReturn on_configure(const State &) override
  {
    try {
      stream_ = std::make_unique<Stream>(
        get_parameter("library").as_string(),
        [this](mb_stream_settings & settings, const mb_estimator_api & api) {choose(settings, api);},
        [this](std::int64_t stamp) {publish(stamp);});
      inputs_ = {stream_->api(), get_parameter("known_forces").as_string(),
        given("force_joints"), given("command_joints")};
      for (const auto & topic : topics_of(stream_->api())) {
        subscribe(topic);
      }
      subscribe_inputs();
    } catch (const std::exception & error) {
      problem_ = error.what();
      subscriptions_.clear();
      RCLCPP_ERROR(get_logger(), "%s", error.what());
      return CallbackReturn::FAILURE;
    }
    const double rate = number("prediction_rate");
    outputs_ = std::make_unique<Outputs>(*this, *stream_, rate > 0.0);
    diagnostics_ = create_publisher<diagnostic_msgs::msg::DiagnosticArray>("/diagnostics", 10);
    if (rate > 0.0) {
      present_ = rclcpp::create_timer(
        this, get_clock(), rclcpp::Duration::from_seconds(1.0 / rate), [this] {predict();});
    }
    timer_ = create_wall_timer(std::chrono::seconds(1), [this] {diagnose();});
    has_ended_ = false;
    RCLCPP_INFO(get_logger(), "%s on %s", stream_->api().filter, stream_->api().machine);
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_cleanup(const State &) override
  {
    subscriptions_.clear();
    present_.reset();
    timer_.reset();
    outputs_.reset();
    diagnostics_.reset();
    stream_.reset();
    return CallbackReturn::SUCCESS;
  }

private:
  bool is_active() {return is_active(get_current_state());}

  static bool is_active(const State & state)
  {
    return state.id() == lifecycle_msgs::msg::State::PRIMARY_STATE_ACTIVE;
  }

  double number(const char * name) const {return get_parameter(name).as_double();}

  Names given(const char * name) const {return get_parameter(name).as_string_array();}

  void subscribe(const Topic & topic)
  {
    const auto read_it = [this, &topic](auto kind) {read<typename decltype(kind)::Type>(topic);};
    if (!with_message(topic.type, read_it)) {
      throw std::invalid_argument(
              topic.sensors.front()->name + (": messages of " + topic.type) + " are not read here");
    }
  }

  template<typename Message>
  void read(const Topic & topic)
  {
    const auto readings = std::make_shared<Readings>(stream_->api());
    listen<Message>(
      topic.name, rclcpp::QoS(5000).reliable().transient_local(),
      [this, topic, readings](const Message & message) {
        begun_ = Clock::now();
        readings->sensors.clear();
        take(topic, message, *readings);
        stream_->add(
          nanoseconds(message.header.stamp), readings->sensors, readings->channels.data());
      });
  }

  void subscribe_inputs()
  {
    const rclcpp::QoS commands = rclcpp::QoS(1000).reliable();
    if (inputs_.topic().empty()) {
      return;
    }
    if (inputs_.is_of_valves()) {
      know<mb_interfaces::msg::ValveCommand>(commands);
    } else if (inputs_.is_without_names()) {
      listen<std_msgs::msg::Float64MultiArray>(
        inputs_.topic(), commands, [this](const std_msgs::msg::Float64MultiArray & message) {
          stream_->add_inputs(now().nanoseconds(), inputs_.of(message));
        });
    } else {
      know<JointState>(rclcpp::QoS(5000).reliable().transient_local());
    }
  }

  template<typename Message>
  void know(const rclcpp::QoS & qos)
  {
    listen<Message>(
      inputs_.topic(), qos, [this](const Message & message) {
        stream_->add_inputs(nanoseconds(message.header.stamp), inputs_.of(message));
      });
  }

  // Call take(message) of a topic while the node is active, and note what is wrong.
  template<typename Message, typename Take>
  void listen(const std::string & topic, const rclcpp::QoS & qos, Take take)
  {
    rclcpp::SubscriptionOptions options;
    options.qos_overriding_options = rclcpp::QosOverridingOptions::with_default_policies();
    subscriptions_.push_back(
      create_subscription<Message>(
        topic, qos, [this, take](const Message & message) {
          if (!is_active()) {
            return;
          }
          try {
            take(message);
          } catch (const std::invalid_argument & error) {
            RCLCPP_WARN_THROTTLE(get_logger(), steady_, 5000, "%s", error.what());
          }
          report_end();
        }, options));
  }

  void choose(mb_stream_settings & settings, const mb_estimator_api & api)
  {
    gates_ = get_parameter("gates").as_double_array();
    if (!gates_.empty() && gates_.size() != static_cast<std::size_t>(api.sensors)) {
      throw std::invalid_argument(
              "gates: " + std::to_string(gates_.size()) + " bounds, expected one of each of " +
              std::to_string(api.sensors) + " sensors, or none");
    }
    settings.gates = gates_.empty() ? nullptr : gates_.data();
    settings.reorder_window = number("reorder_window");
    settings.history_length = number("history_length");
    settings.longest_gap = number("longest_gap");
    settings.sensor_timeout = number("sensor_timeout");
    settings.start_time = number("start_time");
    settings.nis_bound = number("nis_bound");
    settings.nis_time = number("nis_time");
    settings.waits_for_inputs = number("input_rate") > 0.0;
    settings.first_reading = get_parameter("first_reading").as_bool();
    settings.leave_out_repeats = get_parameter("leave_out_repeats").as_bool();
  }

  const char * begin()
  {
    if (!stream_) {
      return "";
    }
    stream_->reset();
    outputs_->begin();
    has_ended_ = false;
    return "waiting for readings";
  }

  // Offer a service that does something, and says what, "" where that was not possible.
  template<typename Do>
  void serve(const char * name, Do act)
  {
    services_.push_back(
      create_service<Trigger>(
        std::string("~/") + name,
        [act](const Trigger::Request::SharedPtr, Trigger::Response::SharedPtr response) {
          response->message = act();
          response->success = !response->message.empty();
        }));
  }

  void report_end()
  {
    const std::string end = stream_->end();
    if (!has_ended_ && !end.empty()) {
      RCLCPP_ERROR(get_logger(), "%s has diverged: %s", stream_->api().filter, end.c_str());
    }
    has_ended_ = !end.empty();
  }

  void predict()
  {
    if (is_active()) {
      is_of_present_ = true;
      stream_->predict(now().nanoseconds());
      is_of_present_ = false;
    }
  }

  void publish(std::int64_t stamp)
  {
    if (is_of_present_) {
      outputs_->publish_present(stamp);
      return;
    }
    outputs_->publish(
      stamp, std::chrono::duration<double>(Clock::now() - begun_).count());
    begun_ = Clock::now();                  // of the next one in the same message
  }

  void diagnose()
  {
    diagnostic_msgs::msg::DiagnosticArray message;
    message.header.stamp = now();
    message.status.push_back(health_.look(*stream_, is_active(), outputs_->newest()));
    message.status.back().name = get_fully_qualified_name();
    message.status.back().hardware_id = get_name();
    diagnostics_->publish(message);
  }

  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Outputs> outputs_;
  Inputs inputs_;
  Health health_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_;
  rclcpp::TimerBase::SharedPtr timer_, present_;
  rclcpp::Clock steady_{RCL_STEADY_TIME};
  Clock::time_point begun_;
  std::string problem_;
  std::vector<double> gates_;
  bool has_ended_ = false, is_of_present_ = false;
};

}  // namespace mb_realtime

RCLCPP_COMPONENTS_REGISTER_NODE(mb_realtime::EstimatorComponent)
