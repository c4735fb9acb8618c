// The parts of the Python module.
#pragma once

#include <nanobind/nanobind.h>

namespace frankboost {

void bind_matrices(nanobind::module_& module);
void bind_search(nanobind::module_& module);
void bind_trees(nanobind::module_& module);

}  // namespace frankboost
