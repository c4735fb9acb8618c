// How a search is ended early.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace frankboost {

// Whether to leave the rest of a search undone. The answer may be slow to get: it is asked for twenty times a second,
// and not at all in a search that is over before. Once it was yes it stays so.
class Stop {
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds pause{50};

    std::function<bool()> ask_;  // it may throw
    Clock::time_point next_ = Clock::now() + pause;
    bool said_ = false;

  public:
    explicit Stop(std::function<bool()> ask) : ask_(std::move(ask)) {}

    bool operator()() {
        if (said_ || Clock::now() < next_) return said_;
        said_ = ask_();
        next_ = Clock::now() + pause;
        return said_;
    }
    bool said() const { return said_; }
};

}  // namespace frankboost
