// When something that happens at a rate is due, by stamps.  Needs no ROS.

#ifndef MB_REALTIME__SAMPLER_HPP_
#define MB_REALTIME__SAMPLER_HPP_

#include <cstdint>
#include <limits>

namespace mb_realtime
{

constexpr std::int64_t SECOND = 1000000000;     // [ns]

class Sampler
{
public:
  // rate: [Hz]; 0: each time
  explicit Sampler(double rate = 0.0)
  : rate_(rate) {}

  // Return whether it is due at a stamp [ns]; ask once.  Stamps that do not advance give none.
  bool due(std::int64_t stamp) noexcept
  {
    if (!(rate_ > 0.0)) {
      return true;
    }
    // Whole seconds apart: stamps of clocks on walls would leave too few digits for the rest.
    const auto whole = static_cast<double>(stamp / SECOND), rest = static_cast<double>(stamp % SECOND);
    const auto number = static_cast<std::int64_t>(
      whole * rate_ + rest * rate_ / SECOND + TOLERANCE);
    if (number <= last_) {
      return false;
    }
    last_ = number;
    return true;
  }

private:
  static constexpr double TOLERANCE = 1e-3;     // of a period: stamps are whole nanoseconds

  double rate_;
  std::int64_t last_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace mb_realtime

#endif  // MB_REALTIME__SAMPLER_HPP_
