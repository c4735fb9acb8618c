// What centring columns under a mass needs, whatever the columns are made of.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace frankboost {

// The square roots of the masses, and their sum.
template <class Real>
struct Mass {
    std::vector<Real> root;
    double total = 0.0;

    Mass(const double* mass, std::size_t count) : root(count) {
        for (std::size_t i = 0; i < count; ++i) {
            root[i] = static_cast<Real>(std::sqrt(mass[i]));
            total += mass[i];
        }
    }
};

}  // namespace frankboost
