// The health of an estimation, for /diagnostics.

#ifndef MB_REALTIME__HEALTH_HPP_
#define MB_REALTIME__HEALTH_HPP_

#include <cstdint>
#include <string>

#include "diagnostic_msgs/msg/diagnostic_array.hpp"
#include "mb_realtime/sampler.hpp"
#include "mb_realtime/stream.hpp"

namespace mb_realtime
{

// Looks at a Stream periodically.
class Health
{
public:
  using Status = diagnostic_msgs::msg::DiagnosticStatus;

  // Return the present health; newest: stamp of the last estimate [ns], 0: none.
  Status look(const Stream & stream, bool is_active, std::int64_t newest)
  {
    Status status;
    const auto say = [&status](std::uint8_t level, const std::string & message) {
        status.level = level;
        status.message = message;
      };
    const auto counts = stream.counts();
    const auto lost = counts.rejected + counts.late + counts.missing;
    const std::string end = stream.end();
    if (!is_active) {
      say(Status::OK, "paused");
    } else if (!end.empty()) {
      say(Status::ERROR, "diverged: " + end);
    } else if (!newest) {
      say(Status::STALE, "no readings yet");
    } else if (newest == newest_before_) {
      say(Status::STALE, "no new readings");
    } else if (lost > lost_before_) {
      say(Status::WARN, "readings were left out or are missing");
    } else {
      say(Status::OK, "estimating");
    }
    newest_before_ = newest;
    lost_before_ = lost;
    const auto add = [&status](const std::string & key, const std::string & value) {
        diagnostic_msgs::msg::KeyValue pair;
        pair.key = key;
        pair.value = value;
        status.values.push_back(pair);
      };
    add("estimator", stream.api().filter);
    add("readings used", std::to_string(counts.used));
    add("readings rejected", std::to_string(counts.rejected));
    add("readings late", std::to_string(counts.late));
    add("readings missing", std::to_string(counts.missing));
    add("instants taken early, memory full", std::to_string(counts.crowded));
    add("starts anew", std::to_string(counts.begun));
    if (newest) {
      add("last estimate [s]", std::to_string(static_cast<double>(newest) / SECOND));
    }
    return status;
  }

private:
  std::int64_t newest_before_ = 0, lost_before_ = 0;
};

}  // namespace mb_realtime

#endif  // MB_REALTIME__HEALTH_HPP_
