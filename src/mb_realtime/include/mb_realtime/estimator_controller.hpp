// An estimator as a ros2_control controller, whose estimates are state interfaces.

#ifndef MB_REALTIME__ESTIMATOR_CONTROLLER_HPP_
#define MB_REALTIME__ESTIMATOR_CONTROLLER_HPP_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "controller_interface/chainable_controller_interface.hpp"
#include "mb_realtime/estimator.hpp"
#include "mb_realtime/wiring.hpp"
#include "std_srvs/srv/trigger.hpp"

namespace mb_realtime
{

// Reads state interfaces in each update, and exports what an Estimator makes of them:
//   NAME/COORDINATE/position, velocity, acceleration        of all coordinates, passive ones too
//   NAME/DEGREE/position_deviation, velocity_deviation      standard deviations
//   NAME/DEGREE/effort                                      estimated forces, where there are some
//   NAME/fit/nis, used, status                              of the last readings
// where NAME is the controller's.  Estimates are NaN while the filter has ended; ~/reset and an
// activation begin anew.  An update neither allocates nor throws.
class EstimatorController : public controller_interface::ChainableControllerInterface
{
public:
  controller_interface::CallbackReturn on_init() override;
  controller_interface::InterfaceConfiguration command_interface_configuration() const override;
  controller_interface::InterfaceConfiguration state_interface_configuration() const override;
  controller_interface::CallbackReturn on_configure(const rclcpp_lifecycle::State &) override;
  controller_interface::CallbackReturn on_activate(const rclcpp_lifecycle::State &) override;
  controller_interface::CallbackReturn on_cleanup(const rclcpp_lifecycle::State &) override;

protected:
  std::vector<hardware_interface::StateInterface::SharedPtr>
  on_export_state_interfaces_list() override;
  bool on_set_chained_mode(bool chained) override;
  controller_interface::return_type update_reference_from_subscribers(
    const rclcpp::Time & time, const rclcpp::Duration & period) override;
  controller_interface::return_type update_and_write_commands(
    const rclcpp::Time & time, const rclcpp::Duration & period) override;

private:
  struct Export
  {
    hardware_interface::StateInterface::SharedPtr interface;
    std::function<double()> value;
  };

  void add(const std::string & owner, const std::string & what, std::function<double()> value);
  void read();
  void write() noexcept;

  std::unique_ptr<Estimator> estimator_;
  Names reading_names_, input_names_;           // one of each channel, of each input
  std::vector<int> reading_places_, input_places_;      // of these in state_interfaces_, -1: none
  std::vector<Export> exports_;
  std::atomic<bool> must_reset_{false};
  rclcpp::Service<std_srvs::srv::Trigger>::SharedPtr reset_;
};

}  // namespace mb_realtime

#endif  // MB_REALTIME__ESTIMATOR_CONTROLLER_HPP_
