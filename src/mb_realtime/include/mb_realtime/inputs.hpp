// From messages of known forces, or of commands of valves, to the inputs of an estimator.

#ifndef MB_REALTIME__INPUTS_HPP_
#define MB_REALTIME__INPUTS_HPP_

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "mb_interfaces/msg/valve_command.hpp"
#include "mb_realtime/estimator.hpp"
#include "mb_realtime/wiring.hpp"
#include "sensor_msgs/msg/joint_state.hpp"
#include "std_msgs/msg/float64_multi_array.hpp"

namespace mb_realtime
{

constexpr char VALVES[] = "valve_command";

// What is known of the inputs of an estimator.
class Inputs
{
public:
  Inputs() = default;

  // topic: of forces; joints: of each degree of freedom, "": none acts on it, empty: they have the
  // names of these; commanded: joints, or degrees of freedom, in the order of the numbers in a
  // Float64MultiArray.  Throws std::invalid_argument.
  Inputs(const mb_estimator_api & api, std::string topic, Names joints, const Names & commanded)
  : names_(names_of(api.input_names, api.inputs)), joints_(std::move(joints)),
    commanded_(commanded), topic_(std::move(topic)),
    is_of_valves_(names_ != names_of(api.degree_names, api.degrees))
  {
    if (is_of_valves_) {
      topic_ = VALVES;
    }
    if (!joints_.empty() && joints_.size() != names_.size()) {
      throw std::invalid_argument(
              "force_joints: " + std::to_string(joints_.size()) + ", expected one of each of " +
              joined(names_));
    }
    for (const auto & name : commanded) {
      const int at = number_of(name);
      if (at < 0 || std::count(commanded.begin(), commanded.end(), name) > 1) {
        throw std::invalid_argument(
                "command_joints: " + name + ": expected each of " + joined(names_) + " and " +
                joined(each_once(joints_)) + " once at most");
      }
      commanded_at_.push_back(at);
    }
    values_.resize(names_.size());
  }

  const std::string & topic() const noexcept {return topic_;}
  bool is_of_valves() const noexcept {return is_of_valves_;}
  bool is_without_names() const noexcept {return !commanded_.empty();}

  // Return the inputs in a message.  Throws std::invalid_argument, with what is wrong in it.
  const double * of(const mb_interfaces::msg::ValveCommand & message)
  {
    fill(message.valve, message.command, "commands", true);
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (!(std::abs(values_[k]) <= 1.0)) {
        throw std::invalid_argument(
                topic_ + ": " + names_[k] + ": " + std::to_string(values_[k]) + " must be in -1..1");
      }
    }
    return values_.data();
  }

  const double * of(const std_msgs::msg::Float64MultiArray & message)
  {
    if (message.data.size() != commanded_.size()) {
      throw std::invalid_argument(
              "known forces: " + std::to_string(message.data.size()) + " numbers on " + topic_ +
              ", expected one for each of " + joined(commanded_));
    }
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t k = 0; k < commanded_.size(); ++k) {
      values_[commanded_at_[k]] = finite(commanded_[k], message.data[k]);
    }
    return values_.data();
  }

  const double * of(const sensor_msgs::msg::JointState & message)
  {
    if (joints_.empty()) {
      fill(message.name, message.effort, "efforts", false);
      return values_.data();
    }
    std::fill(values_.begin(), values_.end(), 0.0);
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      if (joints_[k].empty()) {
        continue;
      }
      const auto at = std::find(message.name.begin(), message.name.end(), joints_[k]);
      const std::size_t j = at - message.name.begin();
      if (j >= message.effort.size()) {
        throw std::invalid_argument(
                "known forces: no effort of " + joints_[k] + " in messages on " + topic_);
      }
      values_[k] = finite(joints_[k], message.effort[j]);
    }
    return values_.data();
  }

private:
  int number_of(const std::string & name) const
  {
    for (const auto * all : {&joints_, &names_}) {
      const auto at = std::find(all->begin(), all->end(), name);
      if (at != all->end()) {
        return static_cast<int>(at - all->begin());
      }
    }
    return -1;
  }

  // Take numbers by the names of inputs; all: none may be missing, else these are 0.
  void fill(const Names & names, const std::vector<double> & numbers, const char * what, bool all)
  {
    bool fits = names.size() == numbers.size() && (!all || names.size() == names_.size());
    std::fill(values_.begin(), values_.end(), all ? NO_READING : 0.0);
    for (std::size_t k = 0; fits && k < names.size(); ++k) {
      const auto at = std::find(names_.begin(), names_.end(), names[k]);
      fits = at != names_.end();
      if (fits) {
        values_[at - names_.begin()] = finite(names[k], numbers[k]);
      }
    }
    for (const double value : values_) {
      fits &= !std::isnan(value);
    }
    if (!fits) {
      throw std::invalid_argument(
              topic_ + ": " + std::to_string(numbers.size()) + " " + what + " of " + joined(names) +
              ", expected one each of " + joined(names_));
    }
  }

  static double finite(const std::string & name, double value)
  {
    if (!std::isfinite(value)) {
      throw std::invalid_argument(name + ": " + std::to_string(value) + " must be finite");
    }
    return value;
  }

  Names names_, joints_, commanded_;
  std::string topic_;
  bool is_of_valves_ = false;
  std::vector<int> commanded_at_;
  std::vector<double> values_;
};

}  // namespace mb_realtime

#endif  // MB_REALTIME__INPUTS_HPP_
