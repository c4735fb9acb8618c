// The Python boundary: types of NumPy arrays, checks of their entries, and results without a copy. Every bound function
// checks its arrays before a kernel sees them, and releases the GIL while the kernel runs.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "trees.hpp"

namespace frankboost {

namespace nb = nanobind;

template <class T, class Shape>
using Array = nb::ndarray<nb::numpy, const T, Shape, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = Array<T, nb::ndim<1>>;
template <class T>
using Matrix = Array<T, nb::ndim<2>>;
using MutableVector = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;  // changed in place
using Sets = Array<std::uint64_t, nb::shape<-1, set_words>>;
template <class T, class Shape = nb::ndim<1>>
using Owned = nb::ndarray<nb::numpy, T, Shape>;

// Throws unless a condition holds. The message is a literal, since a std::string would be built at every call.
inline void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

// Whether test(x) holds for all numbers. The loop counts without an early exit, so that it vectorises.
template <class T, class Test>
bool all_of(const Vector<T>& numbers, Test&& test, int threads = 1) {
    const Blocks blocks(numbers.size(), threads);
    std::atomic<std::size_t> held{0};
    blocks.for_each([&](std::size_t, std::size_t at, std::size_t count) {
        const T* x = numbers.data() + at;
        std::size_t here = 0;
        for (std::size_t i = 0; i < count; ++i) here += test(x[i]);
        held += here;
    });
    return held == numbers.size();
}
constexpr auto is_positive = [](double x) { return x > 0.0; };
constexpr auto is_finite = [](double x) { return std::fabs(x) <= std::numeric_limits<double>::max(); };

// An array argument. No conversion is allowed, since it would silently copy or round the array.
inline auto array_arg(const char* name) { return nb::arg(name).noconvert(); }

// A NumPy array of the given shape that owns the items, seen as the numbers that they consist of.
template <class Result, class Item>
Result to_numpy(std::vector<Item>&& items, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<Item>(std::move(items));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Item>*>(p); });
    return Result(kept->data(), shape, owner);
}

template <class T>
Owned<T> to_numpy(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return to_numpy<Owned<T>>(std::move(values), {size});
}

// Runs work() without the GIL, and returns its result.
template <class Work>
auto without_gil(Work&& work) {
    nb::gil_scoped_release release;
    return work();
}

// A new array of numbers, which work(out) fills without the GIL.
template <class T, class Work>
Owned<T> filled_array(std::size_t size, Work&& work) {
    Space<T> out = space_for<T>(size);
    without_gil([&] { work(out.get()); });
    nb::capsule owner(out.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Owned<T>(out.release(), {size}, owner);
}

// NumPy's dtype of a node record.
nb::handle node_dtype();

// A Python array of node records. The bound functions convert it: a nanobind type caster must not run Python code, as
// an exception in it, such as an interrupt, ends the process.
class Records : public nb::object {
    NB_OBJECT_DEFAULT(Records, nb::object, "numpy.typing.NDArray[numpy.void]", PyObject_CheckBuffer)
};
Records to_records(std::vector<Node>&& nodes);
std::pair<const Node*, std::size_t> nodes_of(const Records& records);  // valid while the caller keeps the records

// The trees in these arrays, after a check that every walk through them ends in a leaf.
TreesView view_of(const Records& nodes, const Vector<std::int64_t>& roots, const Sets& sets, std::size_t features);

// These define the functions of the Python module, but for those of the search.
void bind_matrices(nb::module_& module);
void bind_parts(nb::module_& module);
void bind_trees(nb::module_& module);

}  // namespace frankboost
