// Checks the binned training set, the constraints and the trees that Python passes to a search. Tests: the tests of
// tests/test_native.py whose names say "refuse".
#include "tree_search.hpp"

namespace frankboost {

OwnedSets to_sets(std::vector<CategorySet>&& sets) {
    const std::size_t count = sets.size();
    return to_numpy<OwnedSets>(std::move(sets), {count, set_words});
}

TreeSearch::TreeSearch(CodeMatrix codes, Vector<std::int32_t> bins, Flags missing, Flags categorical,
                       Vector<double> thresholds)
    : codes_(std::move(codes)), bins_(std::move(bins)), missing_(std::move(missing)),
      categorical_(std::move(categorical)), thresholds_(std::move(thresholds)) {
    std::visit(
        [&](const auto& matrix) {
            data_ = {matrix.data(), matrix.shape(0), matrix.shape(1),
                     bins_.data(),  missing_.data(), categorical_.data()};
        },
        codes_);
    const std::size_t n = data_.features;
    require(n > 0 && data_.rows > 0, "codes must have a feature and a row");
    require(bins_.size() == n && missing_.size() == n && categorical_.size() == n,
            "codes, bins, missing and categorical differ in their features");
    require(data_.rows <= std::numeric_limits<std::uint32_t>::max(), "too many rows");
    std::size_t count = 0;
    for (std::size_t f = 0; f < n; ++f) {
        std::visit([&](const auto* all) { check_codes(f, all + f * data_.rows); }, data_.codes);
        first_.push_back(count);
        if (!data_.categorical[f]) count += static_cast<std::size_t>(data_.bins[f] - 1);
    }
    require(thresholds_.size() == count, "thresholds must be one less than the bins of each feature of numbers");
}

void TreeSearch::keep_signs(const Signs& signs) {
    require(signs.size() == data_.features, "signs and codes differ in their features");
    require(all_of(signs, [](std::int8_t sign) { return sign >= -1 && sign <= 1; }), "signs must be -1, 0 or 1");
    for (std::size_t f = 0; f < data_.features; ++f)
        require(signs.data()[f] == 0 || !data_.categorical[f], "a categorical feature has no sign");
    signs_.assign(signs.data(), signs.data() + signs.size());
    present_.clear();
    for (std::size_t f = 0; f < data_.features; ++f) {
        const auto cuts = static_cast<std::size_t>(data_.categorical[f] ? 0 : data_.bins[f] - 1);
        present_.push_back(cuts > 0 && thresholds_.data()[first_[f] + cuts - 1] == std::numeric_limits<double>::max());
    }
    data_.sign = signs_.data();
    data_.present = present_.data();
}

void TreeSearch::keep_together(const Places& starts, const Places& members) {
    const auto count = static_cast<std::int64_t>(members.size());
    require(starts.size() > 0 && starts.data()[0] == 0 && starts.data()[starts.size() - 1] == count,
            "starts must begin at 0 and end behind the last member");
    require(std::is_sorted(starts.data(), starts.data() + starts.size()), "starts must not fall");
    const auto features = static_cast<std::int64_t>(data_.features);
    require(all_of(members, [&](std::int64_t f) { return f >= 0 && f < features; }), "members must be features");
    interactions_.emplace(data_.features, starts.data(), starts.size() - 1, members.data());
    data_.interactions = &*interactions_;
    data_.mask = std::make_shared<const PairMask>(interactions_->below({}));
}

template <class Code>
void TreeSearch::check_codes(std::size_t f, const Code* code) const {
    const std::int64_t bins = data_.bins[f], top = bins - (data_.missing[f] ? 0 : 1);
    require(bins > 0, "every feature needs a bin");
    require(!data_.categorical[f] || static_cast<std::size_t>(bins) <= most_categories,
            "a feature has too many categories");
    for (std::size_t i = 0; i < data_.rows; ++i)
        require(static_cast<std::int64_t>(code[i]) >= 0 && static_cast<std::int64_t>(code[i]) <= top,
                "a code is outside its feature's bins");
}

void TreeSearch::check(const Vector<double>& u) const {
    require(u.size() == data_.rows, "u and codes differ in their rows");
    require(all_of(u, is_finite), "u must be finite");
}

void TreeSearch::check(const Layout& layout) const {
    bool same = layout.features() == data_.features;
    for (std::size_t f = 0; same && f < data_.features; ++f)
        same = layout[f].bins == static_cast<std::size_t>(data_.bins[f]);
    require(same, "rows are of other features");
}

void TreeSearch::check_set(const Node& node) const {
    require((data_.categorical[node.feature] != 0) == (node.set_index >= 0),
            "a split of a categorical feature, and no other, needs a set of categories");
}

TreesView TreeSearch::checked(const Records& nodes, const Vector<std::int64_t>& roots, const Sets& sets) const {
    const TreesView forest = view_of(nodes, roots, sets, data_.features);
    for (const Node& node : forest) {
        if (node.feature < 0) continue;
        check_set(node);
        if (node.set_index >= 0) continue;
        require(node.last_bin >= 0 && node.last_bin + 1 < data_.bins[node.feature],
                "a split is outside its feature's bins");
        require(node.threshold == threshold_of(node), "a split's bin is not that of its threshold");
    }
    return forest;
}

Records TreeSearch::to_python(std::vector<Node>&& nodes) const {
    for (Node& node : nodes)
        if (node.feature >= 0 && node.set_index < 0) node.threshold = threshold_of(node);
    return to_records(std::move(nodes));
}

Forest TreeSearch::to_python(Trees&& found) const {
    return {to_python(std::move(found.nodes)), to_numpy(std::move(found.roots)), to_sets(std::move(found.sets))};
}

}  // namespace frankboost
