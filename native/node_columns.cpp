// Bins the features anew for the rows of one node: fine bins where its weight is, and no empty bins, so that tables of
// pairs stay small. Reference: tests/learners/test_deep_trees.py, against greedy.py.
#include "node_columns.hpp"

namespace frankboost {

NodeColumns::NodeColumns(const Rows& all, const RowNumbers& rows) : all_(all), rows_(rows) {
    weight_.reserve(rows.size());
    for (std::uint32_t i : rows) weight_.push_back(all.weight[i]);
    std::size_t most = 0;
    for (std::size_t f = 0; f < all.features(); ++f) most = std::max(most, all.layout[f].bins);
    sum_.assign(most + 1, 0.0);
    mass_.assign(most + 1, 0.0);
    code_of_bin_.resize(most + 1);
}

std::vector<std::int32_t> NodeColumns::bins_present(std::size_t f) const {
    const std::size_t bins = all_.layout[f].bins;
    std::vector<std::int32_t> present;
    if (bins < 8 * rows_.size()) {
        for (std::size_t b = 0; b < bins; ++b)
            if (mass_[b] > 0.0) present.push_back(static_cast<std::int32_t>(b));
        return present;
    }
    const auto list = [&](const auto* code) {
        for (std::uint32_t i : rows_)
            if (static_cast<std::size_t>(code[i]) < bins) present.push_back(static_cast<std::int32_t>(code[i]));
    };
    all_.with_codes(list, f);
    std::sort(present.begin(), present.end());
    present.erase(std::unique(present.begin(), present.end()), present.end());
    return present;
}

Column NodeColumns::bin_numbers(std::size_t f, std::size_t most) {
    const std::vector<std::int32_t> present = bins_present(f);
    const std::size_t missing = all_.layout[f].bins;
    double total = 0.0, sum = sum_[missing];
    for (std::int32_t b : present) {
        total += mass_[b];
        sum += sum_[b];
    }
    const double all = total + mass_[missing], scale = static_cast<double>(most) / total;
    std::vector<std::int32_t> last;
    double gain = 0.0, before = 0.0, prefix = 0.0, quantile = -1.0;
    for (std::int32_t b : present) {
        const double here = std::floor((before + 0.5 * mass_[b]) * scale);
        if (present.size() <= most || here > quantile) {
            const double rest = sum - prefix;
            if (before > 0.0) gain = std::max(gain, prefix * prefix / before + rest * rest / (all - before));
            last.push_back(b);
            quantile = here;
        }
        last.back() = b;
        code_of_bin_[b] = static_cast<std::int32_t>(last.size() - 1);
        before += mass_[b];
        prefix += sum_[b];
    }
    // No row of the node is in the last bin, so that the threshold before it splits missing values from all numbers.
    const bool alone = mass_[missing] > 0.0 && !last.empty() && static_cast<std::size_t>(last.back()) + 1 < missing;
    if (alone) {
        const double rest = sum_[missing];
        gain = std::max(gain, prefix * prefix / before + rest * rest / mass_[missing]);
        last.back() = static_cast<std::int32_t>(missing) - 2;
        last.push_back(static_cast<std::int32_t>(missing) - 1);
    }
    FeatureKind kind{std::max<std::size_t>(last.size(), 1), false, mass_[missing] > 0.0};
    kind.sign = all_.layout[f].sign;
    kind.present = all_.layout[f].present && alone;
    code_of_bin_[missing] = static_cast<std::int32_t>(kind.bins);
    return {kind, std::move(last), gain - sum * sum / all};
}

Column NodeColumns::keep_categories(std::size_t f) const {
    double gain = 0.0, sum = 0.0, total = 0.0;
    for (std::size_t c = 0; c <= all_.layout[f].bins; ++c) {
        if (mass_[c] == 0.0) continue;
        gain += sum_[c] * sum_[c] / mass_[c];
        sum += sum_[c];
        total += mass_[c];
    }
    return {all_.layout[f], {}, gain - sum * sum / total};
}

template <class Code>
Column NodeColumns::recode(std::size_t f, std::size_t most, Code* out) {
    Column column{all_.layout[f], {}};
    const auto work = [&](const auto* code) {
        for (std::size_t at = 0; at < rows_.size(); ++at) {
            sum_[code[rows_[at]]] += weight_[at];
            mass_[code[rows_[at]]] += std::fabs(weight_[at]);
        }
        const bool sets = column.kind.categorical;
        column = sets ? keep_categories(f) : bin_numbers(f, most);
        for (std::size_t at = 0; at < rows_.size(); ++at) {
            const auto here = code[rows_[at]];
            out[at] = static_cast<Code>(sets ? static_cast<std::int32_t>(here) : code_of_bin_[here]);
            sum_[here] = mass_[here] = 0.0;
        }
    };
    all_.with_codes(work, f);
    return column;
}

template <class Code>
Rows NodeColumns::rows_of(const std::vector<std::size_t>& features, std::size_t most, std::vector<Column>& columns) {
    std::vector<Code> codes(features.size() * rows_.size());
    Layout layout;
    for (std::size_t k = 0; k < features.size(); ++k) {
        columns.push_back(recode(features[k], most, codes.data() + k * rows_.size()));
        layout.add(columns.back().kind);
    }
    return Rows(std::move(layout), weight_, std::move(codes));
}

template Rows NodeColumns::rows_of<std::uint8_t>(const std::vector<std::size_t>&, std::size_t, std::vector<Column>&);
template Rows NodeColumns::rows_of<std::int32_t>(const std::vector<std::size_t>&, std::size_t, std::vector<Column>&);

}  // namespace frankboost
