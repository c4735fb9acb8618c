// Every pair of features is looked at in fixed point over the heavy rows (wide_rows.hpp), which bounds what its trees
// pay, and closely only if that is not enough.
//
// For each root we allow the children left and right of it to pay some amounts, whose sum is what a tree may pay. A
// pair of features that keeps to what is allowed has no better tree; the others are looked at closely. Where a child
// pays more than was allowed on one side, less is allowed on the other, and the root's pairs are looked at again.
#include "wide_search.hpp"

#include <numeric>
#include <optional>

#include "growing.hpp"
#include "pair_survey.hpp"
#include "wide_products.hpp"

namespace frankboost {
namespace {

constexpr std::size_t strong_stumps = 32;  // features that are children in every search, with the hints
constexpr std::size_t tried_roots = 64;    // looked at closely with their best children so far
constexpr double light = 0.05;             // of what the best stump pays: the mass of rows that may be left out

// Two blocks of features, or one with itself.
struct BlockPair {
    std::size_t a, b;
};

// What may be paid on one side of each root.
using Allowed = std::vector<double>;

class WideSearch {
    const Rows rows_;
    const int threads_;
    Stop& stop_;
    const FixedPoint none_{};
    PairSurvey closely_;
    std::vector<Workspace> spaces_;  // what is known closely, by worker
    std::vector<bool> looked_;       // closely, at a pair of features
    std::vector<double> stump_;      // what the best stump of each feature pays
    std::optional<HeavyRows> heavy_;
    std::vector<Block> blocks_;  // of all plain features, then of some; those of 0/1 features are apart
    std::vector<std::vector<std::uint8_t>> bits_;  // of the blocks of 0/1 features
    std::size_t all_blocks_ = 0;
    Allowed left_, right_;
    double total_ = 0.0;

    const Layout& layout() const { return rows_.layout; }
    const Children& known() const { return spaces_[0].children; }
    int workers(double nanoseconds) const { return threads_worth(nanoseconds, threads_); }

    void merge() {
        for (std::size_t worker = 1; worker < spaces_.size(); ++worker) {
            spaces_[0].children.merge(spaces_[worker].children);
            spaces_[worker].children = Children(layout().size());
        }
    }

    void look_closely(const std::vector<FeaturePair>& pairs, std::size_t worker) {
        for (std::size_t at = 0; at < pairs.size(); at += tables_at_once) {
            const auto from = pairs.begin() + static_cast<std::ptrdiff_t>(at);
            const auto count = static_cast<std::ptrdiff_t>(std::min(tables_at_once, pairs.size() - at));
            closely_.look_at({from, from + count}, spaces_[worker]);
        }
    }

    void look_at_stumps() {
        const std::size_t n = layout().features();
        stump_.assign(n, -1.0);
        const auto masses = [&](std::size_t f) { return histogram(rows_, f, mass); };
        parallel_for(n, workers(3.0 * static_cast<double>(n * rows_.size())), [&](std::size_t f, std::size_t worker) {
            if (!layout()[f].splits()) return;
            stump_[f] = best_stump(layout(), f, histogram(rows_, f, signed_weight), masses).pay();
            closely_.look_at(f, f, spaces_[worker]);
        });
        merge();
    }

    // The hints and the features of the best stumps.
    std::vector<std::size_t> strong(std::vector<std::size_t> hints) const {
        std::vector<std::size_t> order(stump_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](auto f, auto g) { return stump_[f] > stump_[g]; });
        order.resize(std::min(order.size(), strong_stumps));
        order.insert(order.end(), hints.begin(), hints.end());
        std::sort(order.begin(), order.end());
        order.erase(std::unique(order.begin(), order.end()), order.end());
        return order;
    }

    void add_blocks(const std::vector<std::size_t>& features) {
        const auto add = [&](Block& block, bool two) {
            bits_.push_back(two ? block_bits(*heavy_, block) : std::vector<std::uint8_t>{});
            blocks_.push_back(std::exchange(block, {}));
        };
        for (const bool two : {true, false}) {
            Block block;
            for (std::size_t f : features) {
                if (!heavy_->plain(f) || (layout()[f].bins == 2) != two) continue;
                block.push_back(f);
                if (block.size() == block_width) add(block, two);
            }
            if (!block.empty()) add(block, two);
        }
    }

    void make_blocks() {
        std::vector<std::size_t> all(layout().features());
        std::iota(all.begin(), all.end(), std::size_t{0});
        add_blocks(all);
        all_blocks_ = blocks_.size();
    }

    // All plain features against some of them.
    std::vector<BlockPair> pairs_with(const std::vector<std::size_t>& features) {
        blocks_.resize(all_blocks_);
        bits_.resize(all_blocks_);
        add_blocks(features);
        std::vector<BlockPair> tasks;
        for (std::size_t a = all_blocks_; a < blocks_.size(); ++a)
            for (std::size_t b = 0; b < all_blocks_; ++b) tasks.push_back({a, b});
        return tasks;
    }

    // offer(root, number, child, what stumps pay left and right of it) and then done(f, g), for the pairs of two
    // blocks.
    template <class Offer, class Done>
    void look_at_blocks(const BlockPair& pair, LaneBuffer& table, Offer&& offer, Done&& done) const {
        const Block &a = blocks_[pair.a], &b = blocks_[pair.b];
        const bool product = !bits_[pair.a].empty() && !bits_[pair.b].empty();
        const FixedPoint& fixed = heavy_->fixed;
        BlockSums sums;
        if (product) block_product(*heavy_, bits_[pair.a], bits_[pair.b], sums);
        for (std::size_t k = 0; k < a.size(); ++k)
            for (std::size_t l = pair.a == pair.b ? k + 1 : 0; l < b.size(); ++l) {
                const std::size_t f = a[k], g = b[l];
                if (f == g) continue;
                if (product) {
                    offer_product(*heavy_, f, g, sums[k * block_width + l], offer);
                } else {
                    fill_lanes(heavy_->rows, fixed, f, g, table);
                    offer_lanes(layout(), fixed, f, g, see_lanes(layout(), fixed, f, g, table), offer);
                }
                done(f, g);
            }
    }

    // The best children of every root among some features, and among all if its own is one of them.
    Children look_at_some(const std::vector<std::size_t>& features) {
        const std::vector<BlockPair> tasks = pairs_with(features);
        std::vector<Children> found(spaces_.size(), Children(layout().size()));
        const auto work = [&](std::size_t task, std::size_t worker) {
            const auto offer = [&](std::size_t root, std::size_t number, std::size_t child, double left, double right) {
                found[worker].offer(layout().place({root, number, 0}), child, left, right);
            };
            look_at_blocks(tasks[task], spaces_[worker].lanes, offer, [](std::size_t, std::size_t) {});
        };
        parallel_for(tasks.size(), threads_, work, stop_);
        for (std::size_t worker = 1; worker < found.size(); ++worker) found[0].merge(found[worker]);
        return std::move(found[0]);
    }

    // The most promising roots with their best children so far, closely.
    void try_roots(const Children& found) {
        std::vector<BestRoot> best = best_of_each(layout(), found);
        std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
        best.resize(std::min(best.size(), tried_roots));
        std::vector<FeaturePair> pairs;
        for (const auto& [root, value, alone] : best) {
            if (value <= 0.0) break;
            for (const auto* side : {&found.left, &found.right}) {
                const auto child = static_cast<std::size_t>((*side)[layout().place(root)].feature);
                if (child < layout().features()) pairs.push_back(std::minmax(root.feature, child));
            }
        }
        parallel_for(pairs.size(), threads_,
                     [&](std::size_t k, std::size_t worker) { look_closely({pairs[k]}, worker); });
        merge();
    }

    double best() const {
        double most = 0.0;
        for (const BestRoot& root : best_of_each(layout(), known())) most = std::max(most, root.value);
        return most;
    }

    // What a tree may pay is shared by both sides, in equal parts above what is found there.
    void allow(const Children& found, double most) {
        left_.assign(layout().size(), infinity);
        right_ = left_;
        for (std::size_t f = 0; f < layout().features(); ++f) {
            if (!heavy_->plain(f)) continue;
            layout().for_each_root(f, [&](const Root& root) {
                const std::size_t at = layout().place(root);
                const double share = 0.5 * (most - 2.0 * heavy_->slack() - found.value(at));
                left_[at] = found.left[at].value + share;
                right_[at] = found.right[at].value + share;
            });
        }
    }

    // Look closely at the pairs that do not keep to what is allowed.
    void look_at_all(const std::vector<BlockPair>& tasks, const Allowed& left, const Allowed& right) {
        const std::size_t n = layout().features();
        std::vector<std::vector<FeaturePair>> looks(spaces_.size());
        const auto work = [&](std::size_t task, std::size_t worker) {
            std::vector<FeaturePair> beyond;
            bool keeps = true;
            const auto offer = [&](std::size_t root, std::size_t number, std::size_t, double pays_left,
                                   double pays_right) {
                const std::size_t at = layout().place({root, number, 0});
                keeps &= pays_left < left[at] && pays_right < right[at];
            };
            const auto done = [&](std::size_t f, std::size_t g) {
                if (!keeps && !looked_[f * n + g]) beyond.push_back(std::minmax(f, g));
                keeps = true;
            };
            look_at_blocks(tasks[task], spaces_[worker].lanes, offer, done);
            look_closely(beyond, worker);
            looks[worker].insert(looks[worker].end(), beyond.begin(), beyond.end());
        };
        parallel_for(tasks.size(), threads_, work, stop_);
        for (const auto& pairs : looks)
            for (const auto& [f, g] : pairs) looked_[f * n + g] = looked_[g * n + f] = true;
        merge();
    }

    // Features with missing values or categories, or with very many bins: all their pairs, closely.
    void look_at_others() {
        std::vector<std::size_t> others;
        for (std::size_t f = 0; f < layout().features(); ++f)
            if (layout()[f].splits() && !heavy_->plain(f)) others.push_back(f);
        const auto work = [&](std::size_t task, std::size_t worker) {
            std::vector<FeaturePair> pairs;
            for (std::size_t g = 0; g < layout().features(); ++g)
                if (layout()[g].splits() && g != others[task]) pairs.push_back(std::minmax(others[task], g));
            look_closely(pairs, worker);
        };
        parallel_for(others.size(), threads_, work, stop_);
        merge();
    }

    // Where a child pays more than was allowed on its side, less is allowed on the other: the features where that is
    // so.
    std::vector<std::size_t> share_again(double most) {
        const double slack = heavy_->slack();
        const auto lower = [](double& allowed, double value) {
            if (value >= allowed) return false;
            allowed = value;
            return true;
        };
        std::vector<std::size_t> changed;
        for (std::size_t f = 0; f < layout().features(); ++f) {
            if (!heavy_->plain(f)) continue;
            bool less = false;
            layout().for_each_root(f, [&](const Root& root) {
                const std::size_t at = layout().place(root);
                const double pays_left = known().left[at].value, pays_right = known().right[at].value;
                const bool more_left = pays_left > left_[at] + slack, more_right = pays_right > right_[at] + slack;
                if (more_left) less |= lower(right_[at], most - pays_left - slack);
                if (more_right) less |= lower(left_[at], most - pays_right - slack);
            });
            if (less) changed.push_back(f);
        }
        return changed;
    }

    // All pairs; afterwards no tree that is not known closely pays `most` or more.
    void look_at_pairs(const Children& found, double most) {
        allow(found, most);
        std::vector<BlockPair> tasks;
        for (std::size_t a = 0; a < all_blocks_; ++a)
            for (std::size_t b = a; b < all_blocks_; ++b) tasks.push_back({a, b});
        look_at_others();
        look_at_all(tasks, left_, right_);
        while (!stop_.said()) {
            const std::vector<std::size_t> changed = share_again(most);
            if (changed.empty()) break;
            Allowed left(layout().size(), infinity), right = left;
            for (std::size_t f : changed)
                for (std::size_t at = layout().begin(f); at < layout().begin(f + 1); ++at) {
                    left[at] = left_[at];
                    right[at] = right_[at];
                }
            look_at_all(pairs_with(changed), left, right);
        }
    }

  public:
    WideSearch(const Features& data, const double* u, int threads, Stop& stop)
        : rows_(data, u), threads_(std::max(threads, 1)), stop_(stop), closely_(rows_, none_),
          spaces_(static_cast<std::size_t>(threads_), Workspace{Children(rows_.layout.size())}),
          looked_(data.features * data.features, false) {
        for (double weight : rows_.weight) total_ += std::fabs(weight);
    }

    WideTrees run(const Wanted& wanted, const std::vector<std::size_t>& hints, std::size_t columns) {
        look_at_stumps();
        heavy_.emplace(rows_, light * std::max(*std::max_element(stump_.begin(), stump_.end()), 0.0), threads_);
        make_blocks();
        const Children found = look_at_some(strong(hints));
        try_roots(found);
        double bound = total_;
        if (const double most = wanted.cut(best()); std::min(wanted.bound, total_) > most) {
            look_at_pairs(found, most);
            if (!stop_.said()) bound = std::min(std::max(most, best()), total_);
        }
        return {trees_below(rows_, std::move(spaces_[0].children), columns, threads_), bound};
    }
};

}  // namespace

WideTrees wide_trees(const Features& data, const double* u, const Wanted& wanted, const std::vector<std::size_t>& hints,
                     std::size_t columns, int threads, Stop& stop) {
    return WideSearch(data, u, threads, stop).run(wanted, hints, columns);
}

}  // namespace frankboost
