// The best split of each feature, as a stump or as the root of a depth-2 tree.
#include "parallel.hpp"
#include "survey.hpp"

namespace frankboost {

std::vector<BestRoot> best_of_each(const Layout& layout, const Children& children) {
    std::vector<BestRoot> best(layout.features());
    for (std::size_t f = 0; f < layout.features(); ++f)
        for_each_root(layout[f], f, [&](const Root& root) {
            const double value = children.value(layout.place(f, root.number, root.variant));
            if (value > best[f].value) best[f] = {root, value};
        });
    return best;
}

template <class Code>
std::vector<BestSplit> best_stumps(const Features<Code>& data, const double* u, int threads) {
    const Rows<Code> rows(data, u);
    std::vector<BestSplit> best(data.features);
    const int workers = threads_worth(1.5 * static_cast<double>(rows.size() * data.features), threads);
    parallel_for(data.features, workers, [&](std::size_t f, std::size_t) {
        const auto masses = [&] { return histogram(rows, f, mass); };
        const Stump stump = best_stump(rows.layout, f, histogram(rows, f, signed_weight), masses);
        best[f] = {stump.split, stump.pay()};
    });
    return best;
}

template <class Code>
std::vector<BestSplit> best_roots(const Features<Code>& data, const double* u, int threads) {
    const Rows<Code> rows(data, u);
    const Children children = survey(rows, FixedPoint{}, std::vector<std::uint8_t>(data.features, 1), threads);
    const auto masses = [&](std::size_t f) { return histogram(rows, f, mass); };
    return splits_of(rows.layout, best_of_each(rows.layout, children), masses);
}

#define FRANKBOOST_FOR(Code)                                                                \
    template std::vector<BestSplit> best_stumps(const Features<Code>&, const double*, int); \
    template std::vector<BestSplit> best_roots(const Features<Code>&, const double*, int);
FRANKBOOST_FOR(std::uint8_t)
FRANKBOOST_FOR(std::int32_t)

}  // namespace frankboost
