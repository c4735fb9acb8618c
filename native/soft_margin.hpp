// The soft margin step by step, for rows that are all here or lie apart; sums are exact as in projection.hpp.
#pragma once

#include <optional>
#include <vector>

#include "projection.hpp"

namespace frankboost {

// From the least and the largest margin of all rows to the soft margin.
class SoftMarginSteps {
    double whole_, left_, total_ = 0.0;  // the weight to be spent in all and still, and what the rest was spent on
    double mass_ = 0.0;                  // in the last bucket

    void cut(double lowest, double highest) {
        least = lowest;
        most = highest;
        const double width = highest - lowest;
        factor = width > negligible ? (buckets - 1) / width : 0.0;
    }

  public:
    static constexpr std::size_t buckets = 1024;
    static constexpr double negligible = 1e-300;  // between margins: one by which nothing can be divided
    double least, most;                           // of the margins that are cut into buckets
    double factor;                                // the bucket of a margin is (margin - least) * factor, rounded down
    double mass_magic, paid_magic;
    double heaviest;  // what a row counts for, at most: see Terms

    // For so many rows, whose sample weights sum to `total`.
    SoftMarginSteps(double lowest, double highest, std::size_t rows, double nu, double total)
        : whole_(nu * total), left_(whole_), heaviest(2.0 * whole_) {
        const double bound = std::min(total, static_cast<double>(rows) * heaviest);
        mass_magic = magic_for(bound);
        paid_magic = magic_for(std::max(std::fabs(lowest), std::fabs(highest)) * bound);
        cut(lowest, highest);
    }
    bool has(double margin) const { return margin >= least && margin <= most; }
    std::size_t bucket(double margin) const { return static_cast<std::size_t>((margin - least) * factor); }

    // The bucket in which the weight is spent, from the sums of s_i in each.
    std::size_t last_bucket(const double* mass);

    // What the rows that are cut into buckets say of one of them. Rows in buckets before it weigh less than is spent.
    struct InBucket {
        double paid = 0.0;                              // the sum of s_i margin_i over the buckets before it
        double lowest = infinity, highest = -infinity;  // of its own margins

        void add(const InBucket& other) {
            paid += other.paid;
            lowest = std::min(lowest, other.lowest);
            highest = std::max(highest, other.highest);
        }
    };
    // This leads to the soft margin, or to buckets between the lowest and the highest.
    std::optional<double> enter(const InBucket& last);
};

// Adds the rows whose margins are cut into buckets.
void fill_buckets(const double* margins, const double* weight, std::size_t rows, const SoftMarginSteps& steps,
                  double* mass);
SoftMarginSteps::InBucket look_into(const double* margins, const double* weight, std::size_t rows,
                                    const SoftMarginSteps& steps, std::size_t bucket);

}  // namespace frankboost
