#include "pair_sweep.hpp"

#include "pair_categories.hpp"

namespace frankboost {

template <class Code>
Order sort_rows(const Rows<Code>& rows, std::size_t f) {
    Order order;
    order.start.assign(rows.layout[f].bins + 2, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) ++order.start[rows.codes[f][i] + 1];
    for (std::size_t b = 1; b < order.start.size(); ++b) order.start[b] += order.start[b - 1];
    order.row.resize(rows.size());
    auto next = order.start;
    for (std::size_t i = 0; i < rows.size(); ++i) order.row[next[rows.codes[f][i]]++] = static_cast<std::uint32_t>(i);
    return order;
}

template <class Code>
void sweep_numbers(const Rows<Code>& rows, std::size_t f, std::size_t g, const Order& order, Prefixes& prefixes,
                   Children& children) {
    const std::size_t F = rows.layout[f].bins, G = rows.layout[g].bins;
    const Code* code = rows.codes[g];
    auto enter = [&](std::size_t bin) {
        for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at)
            prefixes.add(code[order.row[at]], rows.weight[order.row[at]]);
    };
    for (std::size_t variant = 0; variant < rows.layout[f].variants; ++variant) {
        const std::size_t base = rows.layout.place(f, 0, variant);
        prefixes.clear(G);
        if (variant == 1) enter(F);
        for (std::size_t t = 0; t + 1 < F; ++t) {
            enter(t);
            children.left.offer(base + t, prefixes.value(), static_cast<std::int32_t>(g));
        }
        prefixes.clear(G);
        if (variant == 0) enter(F);
        for (std::size_t t = F - 1; t-- > 0;) {
            enter(t + 1);
            children.right.offer(base + t, prefixes.value(), static_cast<std::int32_t>(g));
        }
    }
}

template <class Code>
void sweep_categories(const Rows<Code>& rows, std::size_t f, std::size_t g, const Order& order, Children& children) {
    const Code* code = rows.codes[g];
    auto gather = [&](std::size_t bin, double* out) {
        for (std::size_t at = order.start[bin]; at < order.start[bin + 1]; ++at)
            out[code[order.row[at]]] += rows.weight[order.row[at]];
    };
    offer_child(rows.layout, f, g, gather, children);
}

#define FRANKBOOST_FOR(Code)                                                                                      \
    template Order sort_rows(const Rows<Code>&, std::size_t);                                                     \
    template void sweep_numbers(const Rows<Code>&, std::size_t, std::size_t, const Order&, Prefixes&, Children&); \
    template void sweep_categories(const Rows<Code>&, std::size_t, std::size_t, const Order&, Children&);
FRANKBOOST_FOR(std::uint8_t)
FRANKBOOST_FOR(std::int32_t)

}  // namespace frankboost
