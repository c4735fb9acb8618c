// Computes the tables of all pairs of nearly constant features at once: only rows where neither feature has its common
// code are added, and all other sums are exact differences. Reference: tables of all rows, in tests/test_native.py.
#include "rare_pairs.hpp"

namespace frankboost {
namespace {

constexpr std::size_t unserved = ~std::size_t{0};
constexpr std::size_t most_codes = 16;   // of a feature
constexpr std::size_t most_rare = 1024;  // rare codes of all features
constexpr std::size_t sampled = 256;     // rows in the sample that finds the common code
constexpr double rare_share = 0.5;       // the largest share of the rows that may have other codes

// Whether the weights are on the grid, and so small together that no sum or difference of them is rounded.
bool is_on_grid(const std::vector<double>& weight) {
    double total = 0.0;
    std::size_t whole = 0;
    for (double u : weight) {
        const double units = u * 0x1p52;
        whole += std::floor(units) == units;
        total += std::fabs(u);
    }
    return whole == weight.size() && total <= 1.0 + 0x1p-20;
}

}  // namespace

RarePairs::RarePairs(const Rows& rows)
    : rows_(rows), common_(rows.features()), first_(rows.features(), unserved), by_code_(rows.features()) {
    if (rows.size() == 0 || !is_on_grid(rows.weight)) return;
    std::vector<Entry> entries;
    for (std::size_t f = 0; f < rows.features(); ++f) {
        if (!rows.layout[f].splits() || !find_common(f)) continue;
        first_[f] = codes_;
        codes_ += count_codes(f) - 1;
        std::vector<double>& sums = by_code_[f];
        sums.assign(count_codes(f), 0.0);
        const auto collect = [&](const auto* code) {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (code[i] == static_cast<std::decay_t<decltype(*code)>>(common_[f])) continue;
                const auto c = static_cast<std::size_t>(code[i]);
                sums[c] += rows.weight[i];
                entries.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(place(f, c))});
            }
        };
        rows.with_codes(collect, f);
    }
    double total = 0.0;
    for (double u : rows.weight) total += u;
    for (std::size_t f = 0; f < rows.features(); ++f) {
        if (first_[f] == unserved) continue;
        double others = 0.0;
        for (double sum : by_code_[f]) others += sum;
        by_code_[f][common_[f]] = total - others;
    }
    add_pair_sums(entries);
}

// Finds the most frequent code of a feature in a sample; returns whether most rows have it.
bool RarePairs::find_common(std::size_t f) {
    const std::size_t codes = count_codes(f), stride = 1 + rows_.size() / sampled;
    if (codes > most_codes || codes_ + codes > most_rare) return false;
    std::array<std::size_t, most_codes> counts{};
    std::size_t seen = 0;
    const auto count = [&](const auto* code) {
        for (std::size_t i = 0; i < rows_.size(); i += stride, ++seen) ++counts[static_cast<std::size_t>(code[i])];
    };
    rows_.with_codes(count, f);
    const auto most = std::max_element(counts.begin(), counts.end());
    common_[f] = static_cast<std::size_t>(most - counts.begin());
    return static_cast<double>(seen - *most) <= rare_share * static_cast<double>(seen);
}

// Adds the weight of each row to the sums of all pairs of its rare codes.
void RarePairs::add_pair_sums(const std::vector<Entry>& entries) {
    std::vector<std::size_t> start(rows_.size() + 1, 0);
    for (const Entry& entry : entries) ++start[entry.row + 1];
    for (std::size_t i = 0; i < rows_.size(); ++i) start[i + 1] += start[i];
    std::vector<std::uint32_t> places(entries.size());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for (const Entry& entry : entries) places[next[entry.row]++] = entry.at;
    sums_.assign(codes_ * codes_, 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i)
        for (std::size_t a = start[i]; a < start[i + 1]; ++a) {
            double* const sums = sums_.data() + places[a] * codes_;
            for (std::size_t b = a + 1; b < start[i + 1]; ++b) sums[places[b]] += rows_.weight[i];
        }
}

bool RarePairs::serves(std::size_t f, std::size_t g) const {
    return f != g && first_[f] != unserved && first_[g] != unserved;
}

void RarePairs::fill(std::size_t f, std::size_t g, double* cell) const {
    const std::size_t stride = rows_.layout[g].bins + 1, F = count_codes(f), G = count_codes(g);
    double* const common_row = cell + common_[f] * stride;
    for (std::size_t e = 0; e < G; ++e) common_row[e] = by_code_[g][e];
    for (std::size_t c = 0; c < F; ++c) {
        if (c == common_[f]) continue;
        double* const row = cell + c * stride;
        const double* const sums = sums_.data() + place(f, c) * codes_;
        row[common_[g]] = by_code_[f][c];
        for (std::size_t e = 0; e < G; ++e) {
            if (e == common_[g]) continue;
            row[e] = sums[place(g, e)];
            row[common_[g]] -= row[e];
        }
        for (std::size_t e = 0; e < G; ++e) common_row[e] -= row[e];
    }
}

}  // namespace frankboost
