// Stamped readings in any order, and the estimates that they give.  Needs no ROS.

#ifndef MB_REALTIME__STREAM_HPP_
#define MB_REALTIME__STREAM_HPP_

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mb_realtime/estimator.hpp"
#include "mb_realtime/wiring.hpp"
#include "mb_stream.h"

namespace mb_realtime
{

// A stream of readings into the estimator of a plugin.  One thread at a time may use it.
class Stream
{
public:
  using OnEstimate = std::function<void (std::int64_t stamp)>;

  // Throws as Plugin, and std::invalid_argument for settings out of range.
  // settings: takes mb_stream_settings with the defaults, and changes some of them; and the api.
  Stream(
    const std::string & library, const std::function<void(mb_stream_settings &, const mb_estimator_api &)> & settings,
    OnEstimate on_estimate)
  : plugin_(library), on_estimate_(std::move(on_estimate))
  {
    auto chosen = mb_stream_defaults(&api());
    settings(chosen, api());
    chosen.estimated = [](void * own, std::int64_t stamp) {
        static_cast<Stream *>(own)->on_estimate_(stamp);
      };
    chosen.user = this;
    stream_ = {mb_stream_create(&api(), &chosen), mb_stream_destroy};
    if (!stream_) {
      throw std::invalid_argument(
              "no stream of readings: a setting is out of range, or there is no memory");
    }
    sensors_.reserve(api().sensors);
    values_.reserve(api().sensors);
  }

  Stream(const Stream &) = delete;
  Stream & operator=(const Stream &) = delete;

  const mb_estimator_api & api() const noexcept {return plugin_.api();}
  void * estimator() const noexcept {return mb_stream_estimator(stream_.get());}
  mb_stream_counts counts() const noexcept {return mb_stream_counted(stream_.get());}

  // Begin at the start again, at the next reading.
  void reset() noexcept {mb_stream_reset(stream_.get());}

  // Take the readings of some sensors of a stamp [ns], in channels of all.  Does not allocate.
  void add(std::int64_t stamp, const Sensors & from, const double * channels)
  {
    sensors_.clear();
    values_.clear();
    for (const auto * sensor : from) {
      sensors_.push_back(static_cast<int>(sensor - api().sensor_list));
      values_.push_back(channels + sensor->first);
    }
    mb_stream_add_all(
      stream_.get(), stamp, static_cast<int>(sensors_.size()), sensors_.data(), values_.data());
  }

  // Take inputs of a stamp [ns], held until the next ones.
  void add_inputs(std::int64_t stamp, const double * inputs) noexcept
  {
    mb_stream_add_inputs(stream_.get(), stamp, inputs);
  }

  // Call on_estimate with what is predicted for a stamp [ns], unless that is not known.
  void predict(std::int64_t stamp) noexcept {mb_stream_predict(stream_.get(), stamp);}

  // Return why the filter has ended, in words, "" where it has not.
  std::string end() const
  {
    mb_estimator_status status;
    if (!mb_stream_has_diverged(stream_.get(), &status)) {
      return "";
    }
    return status == MB_ESTIMATOR_OK ? "the readings have contradicted it for long" :
           api().words(status);
  }

private:
  Plugin plugin_;
  OnEstimate on_estimate_;
  std::unique_ptr<mb_stream, void (*)(mb_stream *)> stream_{nullptr, mb_stream_destroy};
  std::vector<int> sensors_;
  std::vector<const double *> values_;
};

}  // namespace mb_realtime

#endif  // MB_REALTIME__STREAM_HPP_
