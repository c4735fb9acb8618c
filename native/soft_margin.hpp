// The soft margin step by step, for rows in one place or in parts; sums are exact as in projection.hpp.
#pragma once

#include <optional>
#include <vector>

#include "projection.hpp"

namespace frankboost {

// The search by buckets, which is given the sums over the buckets of each step.
class SoftMarginSteps {
    double whole_, left_;  // the weight to be spent on the lowest margins, and the part that is still to be spent
    double total_ = 0.0;   // the sum of weight times margin that was spent
    double mass_ = 0.0;    // the weight in the last bucket

    void cut(double lowest, double highest) {
        least = lowest;
        most = highest;
        const double width = highest - lowest;
        factor = width > negligible ? (buckets - 1) / width : 0.0;
    }

  public:
    static constexpr std::size_t buckets = 1024;
    static constexpr double negligible = 1e-300;  // a difference of margins by which one cannot divide
    double least, most;                           // the interval of margins that is cut into buckets
    double factor;                                // the bucket of a margin is (margin - least) * factor, rounded down
    double mass_magic, paid_magic;                // round the terms of the sums of weights and of weight times margin
    double heaviest;                              // a row counts for at most this weight, see Terms

    // `total` is the sum of the sample weights of all rows.
    SoftMarginSteps(double lowest, double highest, std::size_t rows, double nu, double total)
        : whole_(nu * total), left_(whole_), heaviest(2.0 * whole_) {
        const double bound = std::min(total, static_cast<double>(rows) * heaviest);
        mass_magic = magic_for(bound);
        paid_magic = magic_for(std::max(std::fabs(lowest), std::fabs(highest)) * bound);
        cut(lowest, highest);
    }
    bool has(double margin) const { return margin >= least && margin <= most; }
    std::size_t bucket(double margin) const { return static_cast<std::size_t>((margin - least) * factor); }

    // The bucket in which the weight runs out, from the sums of s_i in each bucket.
    std::size_t last_bucket(const double* mass);

    // The sums over the rows up to a bucket, and the extremes of its margins.
    struct BucketContent {
        double paid = 0.0;  // the sum of s_i margin_i over the buckets before it
        double lowest = infinity, highest = -infinity;

        void add(const BucketContent& other) {
            paid += other.paid;
            lowest = std::min(lowest, other.lowest);
            highest = std::max(highest, other.highest);
        }
    };
    // Spends the buckets before the last one. Returns the soft margin, or nothing and cuts the last bucket into
    // buckets.
    std::optional<double> enter(const BucketContent& last);
};

// Adds the weights of the rows whose margins are cut into buckets to `mass`.
void fill_buckets(const double* margins, const double* weight, std::size_t rows, const SoftMarginSteps& steps,
                  double* mass);
SoftMarginSteps::BucketContent sum_up_to_bucket(const double* margins, const double* weight, std::size_t rows,
                                                const SoftMarginSteps& steps, std::size_t bucket);

}  // namespace frankboost
