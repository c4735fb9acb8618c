// How a long search is ended early. Tests: tests/test_native_limits.py.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace frankboost {

// Tells whether a search has to end. It asks at most twenty times a second, as the answer may be slow to get, and not
// at all in a shorter search. After the first yes it asks no more.
class Stop {
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds pause{50};

    std::function<bool()> ask_;  // may throw
    Clock::time_point next_ = Clock::now() + pause;
    bool requested_ = false;

  public:
    explicit Stop(std::function<bool()> ask) : ask_(std::move(ask)) {}

    bool operator()() {
        if (requested_ || Clock::now() < next_) return requested_;
        requested_ = ask_();
        next_ = Clock::now() + pause;
        return requested_;
    }
    bool requested() const { return requested_; }
};

}  // namespace frankboost
