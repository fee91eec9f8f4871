#include "mb_realtime/estimator_controller.hpp"

#include <exception>
#include <utility>

#include "pluginlib/class_list_macros.hpp"

namespace mb_realtime
{

using controller_interface::CallbackReturn;
using controller_interface::InterfaceConfiguration;
using controller_interface::interface_configuration_type;
using controller_interface::return_type;

CallbackReturn EstimatorController::on_init()
{
  try {
    auto_declare<std::string>("library", "");
    auto_declare<Names>("state_interfaces", {});
    auto_declare<Names>("input_interfaces", {});
    auto_declare<double>("longest_gap", StepSettings().longest_gap);
  } catch (const std::exception & error) {
    RCLCPP_ERROR(get_node()->get_logger(), "%s", error.what());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

InterfaceConfiguration EstimatorController::command_interface_configuration() const
{
  return {interface_configuration_type::NONE, {}};
}

InterfaceConfiguration EstimatorController::state_interface_configuration() const
{
  Names all = reading_names_;
  all.insert(all.end(), input_names_.begin(), input_names_.end());
  return {interface_configuration_type::INDIVIDUAL, each_once(all)};
}

CallbackReturn EstimatorController::on_configure(const rclcpp_lifecycle::State &)
{
  const auto node = get_node();
  try {
    const auto library = node->get_parameter("library").as_string();
    StepSettings settings;
    settings.longest_gap = node->get_parameter("longest_gap").as_double();
    if (!(settings.longest_gap > 0.0)) {
      throw std::invalid_argument("longest_gap: expected more than 0 s");
    }
    exports_.clear();
    estimator_ = std::make_unique<Estimator>(library, settings);
    const auto & api = estimator_->api();
    reading_names_ = reading_interfaces(
      api, node->get_parameter("state_interfaces").as_string_array());
    input_names_ = input_interfaces(
      api, node->get_parameter("input_interfaces").as_string_array());
    reset_ = node->create_service<std_srvs::srv::Trigger>(
      "~/reset", [this](const std_srvs::srv::Trigger::Request::SharedPtr,
      std_srvs::srv::Trigger::Response::SharedPtr response) {
        must_reset_ = true;
        response->success = true;
        response->message = "begins anew with the next update";
      });
    RCLCPP_INFO(
      node->get_logger(), "%s on %s: %d degrees of freedom, readings of %s",
      api.filter, api.machine, api.degrees, joined(each_once(reading_names_)).c_str());
  } catch (const std::exception & error) {
    RCLCPP_ERROR(node->get_logger(), "%s", error.what());
    return CallbackReturn::ERROR;
  }
  return CallbackReturn::SUCCESS;
}

CallbackReturn EstimatorController::on_activate(const rclcpp_lifecycle::State &)
{
  Names there;
  for (const auto & interface : state_interfaces_) {
    there.push_back(interface.get_name());
  }
  try {
    reading_places_ = places(reading_names_, there);
    input_places_ = places(input_names_, there);
  } catch (const std::exception & error) {
    RCLCPP_ERROR(get_node()->get_logger(), "%s", error.what());
    return CallbackReturn::ERROR;
  }
  must_reset_ = true;
  return CallbackReturn::SUCCESS;
}

CallbackReturn EstimatorController::on_cleanup(const rclcpp_lifecycle::State &)
{
  reset_.reset();
  exports_.clear();
  estimator_.reset();
  return CallbackReturn::SUCCESS;
}

void EstimatorController::add(
  const std::string & owner, const std::string & what, std::function<double()> value)
{
  hardware_interface::InterfaceInfo info;
  info.name = what;
  info.data_type = "double";
  const hardware_interface::InterfaceDescription description(
    get_node()->get_name() + ("/" + owner), info);
  exports_.push_back(
    {std::make_shared<hardware_interface::StateInterface>(description), std::move(value)});
}

std::vector<hardware_interface::StateInterface::SharedPtr>
EstimatorController::on_export_state_interfaces_list()
{
  exports_.clear();
  const Estimator & e = *estimator_;
  const auto & api = e.api();
  for (int k = 0; k < api.coordinates; ++k) {
    add(api.coordinate_names[k], "position", [&e, k] {return e.q()[k];});
    add(api.coordinate_names[k], "velocity", [&e, k] {return e.qd()[k];});
    add(api.coordinate_names[k], "acceleration", [&e, k] {return e.qdd()[k];});
  }
  for (int k = 0; k < api.degrees; ++k) {
    const int rate = api.degrees + k;
    add(api.degree_names[k], "position_deviation", [&e, k] {return e.deviation(k);});
    add(api.degree_names[k], "velocity_deviation", [&e, rate] {return e.deviation(rate);});
    if (api.force) {
      add(api.degree_names[k], "effort", [&e, k] {return e.force()[k];});
    }
  }
  for (int k = 0; k < api.parameters; ++k) {
    add(
      api.parameter_names[k], "value", [&e, k] {
        double deviation;
        return e.parameter(k, &deviation);
      });
    add(
      api.parameter_names[k], "value_deviation", [&e, k] {
        double deviation;
        e.parameter(k, &deviation);
        return deviation;
      });
  }
  add("fit", "nis", [&e] {return e.nis();});
  add("fit", "used", [&e] {return static_cast<double>(e.used());});
  std::vector<hardware_interface::StateInterface::SharedPtr> interfaces;
  for (const auto & one : exports_) {
    interfaces.push_back(one.interface);
  }
  // Says why all others are NaN, and is never so itself
  add("fit", "status", [&e] {return static_cast<double>(e.status());});
  interfaces.push_back(exports_.back().interface);
  return interfaces;
}

bool EstimatorController::on_set_chained_mode(bool)
{
  return true;
}

return_type EstimatorController::update_reference_from_subscribers(
  const rclcpp::Time &, const rclcpp::Duration &)
{
  return return_type::OK;
}

return_type EstimatorController::update_and_write_commands(
  const rclcpp::Time &, const rclcpp::Duration & period)
{
  if (must_reset_.exchange(false)) {
    estimator_->reset();
  }
  try {
    read();
  } catch (const std::exception &) {
    return return_type::ERROR;          // an interface that is no number
  }
  estimator_->step(period.seconds());
  write();
  return return_type::OK;
}

void EstimatorController::read()
{
  for (std::size_t k = 0; k < reading_places_.size(); ++k) {
    if (reading_places_[k] >= 0) {
      const auto value = state_interfaces_[reading_places_[k]].get_optional();
      estimator_->readings()[k] = value.value_or(NO_READING);
    }
  }
  for (std::size_t k = 0; k < input_places_.size(); ++k) {
    if (input_places_[k] >= 0) {
      const auto value = state_interfaces_[input_places_[k]].get_optional();
      estimator_->hold(static_cast<int>(k), value.value_or(NO_READING));
    }
  }
}

void EstimatorController::write() noexcept
{
  const bool none = estimator_->has_ended();
  for (std::size_t k = 0; k < exports_.size(); ++k) {
    const bool is_status = k + 1 == exports_.size();
    (void)exports_[k].interface->set_value(
      none && !is_status ? NO_READING : exports_[k].value());
  }
}

}  // namespace mb_realtime

PLUGINLIB_EXPORT_CLASS(
  mb_realtime::EstimatorController, controller_interface::ChainableControllerInterface)
