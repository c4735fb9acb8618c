// Threads and vector instructions for the kernels. Work is cut into blocks that do not depend on the number of threads,
// so that results do not either. Tests: tests/test_native_limits.py.
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

// Uninitialised memory for numbers that are all written before they are read. Setting them to 0 in one thread would
// take as long as the rest takes in many.
template <class T>
using Space = std::unique_ptr<T[]>;
template <class T>
Space<T> space_for(std::size_t size) {
    return Space<T>(new T[size]);
}

// The number of threads that some work is worth. A thread takes tens of microseconds to start, and far more on a busy
// machine.
inline int threads_worth(double nanoseconds, int threads) {
    return static_cast<int>(std::min<double>(std::max(threads, 1), 1.0 + nanoseconds / 1e6));
}

// The stop function of work that is never stopped.
struct Never {
    bool operator()() const { return false; }
};

// Whether this thread can throw exceptions. libstdc++ and glibc allocate memory for that at the first exception of each
// thread; if there is none left, glibc ends the process.
inline bool can_throw() {
    constexpr std::size_t sizes = 16;
    void* volatile small[sizes];  // once these are free, glibc keeps them for this thread
    bool enough = true;
    for (std::size_t k = 0; k < sizes; ++k) {
        small[k] = std::malloc(16 * (k + 1));
        enough &= small[k] != nullptr;
    }
    for (std::size_t k = 0; k < sizes; ++k) std::free(small[k]);
    return enough && std::uncaught_exceptions() >= 0;
}

// Calls work(task, worker) for every task, on up to `threads` workers, or fewer if the system has no more threads.
// Workers take the tasks in order; which worker takes which task is not fixed, so that results must not depend on it.
// The first exception is thrown again here. Only the calling thread calls stop(), before each of its tasks: if it
// returns true or throws, tasks that were not begun are left out.
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
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc: the workers so far are enough
    }
    run(0);
    for (auto& thread : pool) thread.join();
    if (failure) std::rethrow_exception(failure);
}

// The rows cut into blocks that do not depend on the number of threads, so that sums over blocks do not either.
class Blocks {
    std::size_t rows_, size_;
    int threads_;

  public:
    Blocks(std::size_t rows, int threads, std::size_t size = 1 << 16) : rows_(rows), size_(size), threads_(threads) {}
    std::size_t count() const { return (rows_ + size_ - 1) / size_; }

    // Calls work(number of the block, its first row, its number of rows) for each block.
    template <class Work>
    void for_each(Work&& work) const {
        parallel_for(count(), threads_,
                     [&](std::size_t b, std::size_t) { work(b, b * size_, std::min(size_, rows_ - b * size_)); });
    }
};

}  // namespace frankboost
