// Values to bin codes.
#include <cmath>

#include "kernels.hpp"

namespace frankboost {

template <class Code>
void bin_values(const double* x, std::size_t rows, const double* thresholds, std::size_t count, Code missing,
                Code* codes) {
    for (std::size_t i = 0; i < rows; ++i) {
        if (std::isnan(x[i])) {
            codes[i] = missing;
            continue;
        }
        std::size_t first = 0;
        for (std::size_t size = count; size > 0;) {
            const std::size_t half = size / 2;
            const bool above = thresholds[first + half] < x[i];
            first = above ? first + half + 1 : first;
            size = above ? size - half - 1 : half;
        }
        codes[i] = static_cast<Code>(first);
    }
}

template void bin_values(const double*, std::size_t, const double*, std::size_t, std::uint8_t, std::uint8_t*);
template void bin_values(const double*, std::size_t, const double*, std::size_t, std::int32_t, std::int32_t*);

}  // namespace frankboost
