// What the kernels share: threads, vector code paths, infinity.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// x86-64 builds carry AVX2 and AVX-512 copies of the hot loops, chosen when the library is loaded; aarch64 has
// NEON in its base instruction set. Nothing depends on the machine that compiled it.
// FRANKBOOST_PLAIN leaves the copies out: sanitizers do not know them.
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(FRANKBOOST_PLAIN)
#define FRANKBOOST_COPIES
#define FRANKBOOST_VECTORISED __attribute__((target_clones("avx512f", "avx2", "default")))
#define FRANKBOOST_VECTORISED_BYTES __attribute__((target_clones("avx2", "default")))  // avx512f has none for bytes
#else
#define FRANKBOOST_VECTORISED
#define FRANKBOOST_VECTORISED_BYTES
#endif

#define FRANKBOOST_INLINE inline __attribute__((always_inline))

namespace frankboost {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Numbers that are all written before they are read: to set them to 0 first would take one thread as long as many take
// for the rest.
template <class T>
using Space = std::unique_ptr<T[]>;
template <class T>
Space<T> space_for(std::size_t size) {
    return Space<T>(new T[size]);
}

// How many threads some work is worth: starting one costs tens of microseconds, and far more on a busy machine.
inline int threads_worth(double nanoseconds, int threads) {
    return static_cast<int>(std::min<double>(std::max(threads, 1), 1.0 + nanoseconds / 1e6));
}

// For work that is never left undone.
struct Never {
    bool operator()() const { return false; }
};

// Whether this thread can throw exceptions. What that takes is allocated for each thread, by libstdc++ and glibc at its
// first exception; where there is no memory by then, glibc ends the process.
inline bool can_throw() {
    constexpr std::size_t sizes = 16;
    void* volatile small[sizes];  // which glibc keeps for this thread once they are free
    bool enough = true;
    for (std::size_t k = 0; k < sizes; ++k) {
        small[k] = std::malloc(16 * (k + 1));
        enough &= small[k] != nullptr;
    }
    for (std::size_t k = 0; k < sizes; ++k) std::free(small[k]);
    return enough && std::uncaught_exceptions() >= 0;
}

// Call work(task, worker) for every task, on up to `threads` workers, fewer if the system has no more. Tasks are handed
// out in order; which worker gets which is not fixed, so results must not depend on it. The first exception is thrown
// again here. The calling thread, and no other, asks stop() before each of its tasks: if it says yes or throws, the
// tasks that were not begun are left undone.
template <class Work, class Stop = const Never>
void parallel_for(std::size_t tasks, int threads, Work&& work, Stop&& stop = Never{}) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    auto run = [&](std::size_t worker) {
        if (!can_throw() && worker != 0) return;
        try {
            for (std::size_t task; (task = next.fetch_add(1)) < tasks;) {
                if (worker == 0 && stop()) {
                    next = tasks;
                    return;
                }
                work(task, worker);
            }
        } catch (...) {
            std::lock_guard<std::mutex> lock(guard);
            if (!failure) failure = std::current_exception();
            next = tasks;
        }
    };
    const auto workers = std::min<std::size_t>(tasks, static_cast<std::size_t>(std::max(threads, 1)));
    std::vector<std::thread> pool;
    try {
        for (std::size_t worker = 1; worker < workers; ++worker) pool.emplace_back(run, worker);
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc: those that were started will do
    }
    run(0);
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

// Rows cut into blocks, whatever the number of threads: sums that are added up block by block do not depend on it.
class Blocks {
    std::size_t rows_, size_;
    int threads_;

  public:
    Blocks(std::size_t rows, int threads, std::size_t size = 1 << 16) : rows_(rows), size_(size), threads_(threads) {}
    std::size_t count() const { return (rows_ + size_ - 1) / size_; }

    // work(number of the block, its first row, how many)
    template <class Work>
    void each(Work&& work) const {
        parallel_for(count(), threads_,
                     [&](std::size_t b, std::size_t) { work(b, b * size_, std::min(size_, rows_ - b * size_)); });
    }
};

}  // namespace frankboost
