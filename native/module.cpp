#include "arrays.hpp"

NB_MODULE(_kernels, module) {
    frankboost::bind_matrices(module);
    frankboost::bind_trees(module);
    frankboost::bind_search(module);
}
