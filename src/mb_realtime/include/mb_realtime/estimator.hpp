// An exported estimator, opened when the program runs, and its steps in real time.  Needs no ROS.

#ifndef MB_REALTIME__ESTIMATOR_HPP_
#define MB_REALTIME__ESTIMATOR_HPP_

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "mb_estimator.h"

namespace mb_realtime
{

constexpr double NO_READING = std::numeric_limits<double>::quiet_NaN();

// The plugin of an exported estimator, opened when the program runs.
class Plugin
{
public:
  // Open what `cmake --build` makes of an exported folder.  Throws std::runtime_error.
  explicit Plugin(const std::string & library)
  : plugin_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), close)
  {
    if (!plugin_) {
      const char * why = dlerror();
      throw std::runtime_error("library: " + (why ? std::string(why) : library));
    }
    const auto found =
      reinterpret_cast<mb_estimator_function>(dlsym(plugin_.get(), "mb_estimator"));
    if (!found) {
      throw std::runtime_error(
              "library: " + library + ": no mb_estimator in it, expected the plugin of an estimator "
              "that `ros2 run mb_estimators export` has written");
    }
    api_ = found();
    if (api_->version != MB_ESTIMATOR_VERSION) {
      throw std::runtime_error(
              "library: " + library + ": interface " + std::to_string(api_->version) +
              ", expected " + std::to_string(MB_ESTIMATOR_VERSION) + ": export it anew");
    }
  }

  const mb_estimator_api & api() const noexcept {return *api_;}

private:
  static void close(void * plugin) {dlclose(plugin);}

  std::unique_ptr<void, void (*)(void *)> plugin_;
  const mb_estimator_api * api_ = nullptr;
};

// How an estimator is stepped.
struct StepSettings
{
  double longest_gap = 0.5;     // [s] without a step, after which the estimate begins anew
};

// An estimator of a plugin.  One thread at a time may use it.
class Estimator
{
public:
  // Throws as Plugin, and where there is no memory.
  explicit Estimator(const std::string & library, const StepSettings & settings = {})
  : settings_(settings), plugin_(library), api_(&plugin_.api())
  {
    estimator_ = {api_->create(), api_->destroy};
    if (!estimator_) {
      throw std::runtime_error("library: " + library + ": no memory for the estimator");
    }
    readings_.resize(api_->channels, NO_READING);
    inputs_.resize(api_->inputs, 0.0);
    covariance_.resize(api_->motion_states * api_->motion_states, NO_READING);
  }

  const mb_estimator_api & api() const noexcept {return *api_;}

  // Readings that step() takes in, one of each channel; NaN: none, which they are after a step.
  double * readings() noexcept {return readings_.data();}

  // Take note of a known input of the next step; one that is not finite leaves the last one.
  void hold(int input, double value) noexcept
  {
    if (std::isfinite(value)) {
      inputs_[input] = value;
    }
  }

  // Take back the readings of the next step.
  void forget() noexcept {std::fill(readings_.begin(), readings_.end(), NO_READING);}

  // Begin at the start again.
  void reset() noexcept
  {
    api_->reset(estimator_.get());
    forget();
    std::fill(inputs_.begin(), inputs_.end(), 0.0);
    status_ = MB_ESTIMATOR_OK;
    begun_ = false;
  }

  // Move on by the time since the last step [s], and take in the readings.  Nothing is predicted in
  // the first step, and where time stands still or goes back.  Steps longer than the filter was
  // tuned for are divided.  Neither allocates nor throws.
  mb_estimator_status step(double period) noexcept
  {
    if (begun_ && period > settings_.longest_gap) {
      api_->reset(estimator_.get());
      begun_ = false;
      restarts_ += 1;
    }
    if (begun_ && !predict(period)) {
      return status_;
    }
    begun_ = true;
    for (double & reading : readings_) {
      reading = std::isfinite(reading) ? reading : NO_READING;
    }
    status_ = api_->correct(estimator_.get(), readings_.data());
    forget();
    if (!has_ended()) {
      api_->covariance(estimator_.get(), covariance_.data());
    }
    return status_;
  }

  mb_estimator_status status() const noexcept {return status_;}

  // Whether the filter has ended: only reset() helps.
  bool has_ended() const noexcept
  {
    return status_ != MB_ESTIMATOR_OK && status_ != MB_ESTIMATOR_IMPOSSIBLE;
  }

  int restarts() const noexcept {return restarts_;}     // after gaps
  const double * z() const noexcept {return api_->z(estimator_.get());}
  const double * zd() const noexcept {return api_->zd(estimator_.get());}
  const double * zdd() const noexcept {return api_->zdd(estimator_.get());}
  const double * q() const noexcept {return api_->q(estimator_.get());}
  const double * qd() const noexcept {return api_->qd(estimator_.get());}
  const double * qdd() const noexcept {return api_->qdd(estimator_.get());}
  const double * force() const noexcept
  {
    return api_->force ? api_->force(estimator_.get()) : nullptr;
  }
  double parameter(int k, double * deviation) const noexcept
  {
    return api_->parameter(estimator_.get(), k, deviation);
  }
  double nis() const noexcept {return api_->nis(estimator_.get());}
  int used() const noexcept {return api_->used(estimator_.get());}
  const std::vector<double> & covariance() const noexcept {return covariance_;}

  // Standard deviation of the motion's state k: z, then zd, then zdd where there are so many.
  double deviation(int k) const noexcept
  {
    return std::sqrt(covariance_[k * (api_->motion_states + 1)]);
  }

private:
  bool predict(double period) noexcept
  {
    if (!(period > 0.0)) {
      return !has_ended();
    }
    const double parts = std::max(1.0, std::ceil(period / api_->longest_step * (1.0 - 1e-9)));
    for (double k = 0.0; k < parts && !has_ended(); k += 1.0) {
      status_ = api_->predict(estimator_.get(), period / parts, inputs_.data());
    }
    return !has_ended();
  }

  StepSettings settings_;
  Plugin plugin_;
  const mb_estimator_api * api_;
  std::unique_ptr<void, void (*)(void *)> estimator_{nullptr, nullptr};
  std::vector<double> readings_, inputs_, covariance_;
  mb_estimator_status status_ = MB_ESTIMATOR_OK;
  bool begun_ = false;
  int restarts_ = 0;
};

}  // namespace mb_realtime

#endif  // MB_REALTIME__ESTIMATOR_HPP_
