// What the parts of the Python boundary share: arrays, which each part checks before a kernel sees them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "trees.hpp"

namespace frankboost {

namespace nb = nanobind;

template <class T, class Shape>
using Array = nb::ndarray<nb::numpy, const T, Shape, nb::c_contig, nb::device::cpu>;
template <class T>
using Vector = Array<T, nb::ndim<1>>;
template <class T>
using Matrix = Array<T, nb::ndim<2>>;
using Sets = Array<std::uint64_t, nb::shape<-1, set_words>>;
template <class T>
using Owned = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using OwnedMatrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;
using OwnedSets = nb::ndarray<nb::numpy, std::uint64_t, nb::shape<-1, set_words>>;

// The message is a literal: this runs once per element, and a string would be built each time.
inline void require(bool condition, const char* message) {
    if (!condition) throw std::invalid_argument(message);
}

// Arrays are taken as they are: a conversion would copy them, or round them, in silence.
inline auto array(const char* name) { return nb::arg(name).noconvert(); }

// Numbers for NumPy, in the given shape; the array frees them.
template <class Result, class T>
Result to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Result(kept->data(), shape, owner);
}

template <class T>
Owned<T> to_numpy(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return to_numpy<Owned<T>>(std::move(values), {size});
}

// NumPy's type of a node record.
nb::handle node_dtype();

// Node records as Python has them. They are converted in the bound functions, where an interrupt is an exception like
// any other. A type caster must not run Python code: an exception in it ends the process.
class Records : public nb::object {
    NB_OBJECT_DEFAULT(Records, nb::object, "numpy.typing.NDArray[numpy.void]", PyObject_CheckBuffer)
};
Records to_records(std::vector<Node>&& nodes);

// Node records of an array that is kept alive.
class NodeArray {
    Vector<std::uint8_t> bytes_;

  public:
    explicit NodeArray(const Records& array);
    const Node* data() const { return reinterpret_cast<const Node*>(bytes_.data()); }
    std::size_t size() const { return bytes_.size() / sizeof(Node); }
};

// The trees in these arrays, if every walk through them ends in a leaf.
TreesView view_of(const NodeArray& nodes, const Vector<std::int64_t>& roots, const Sets& sets, std::size_t features);

// The parts of the module.
void bind_matrices(nb::module_& module);
void bind_search(nb::module_& module);
void bind_trees(nb::module_& module);

}  // namespace frankboost
