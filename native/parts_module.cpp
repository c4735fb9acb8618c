// The Python functions of projections and soft margins step by step, for rows in parts: each part computes sums, and
// the steps continue with the totals (rooms/steps.py). Reference: the one-call kernels, with the same bits, in
// tests/rooms/test_parts.py.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "arrays.hpp"
#include "soft_margin.hpp"

namespace frankboost {
namespace {

using Answer = std::tuple<double, double, double, double, double>;  // two sums in two exact parts each, the largest key

Answer answer(const KeySums& sums) {
    return {sums.capped.high, sums.capped.low, sums.free.high, sums.free.low, sums.top};
}

using Counted = std::tuple<double, double, double>;  // the members of Terms

Terms terms_of(const Counted& counted) {
    Terms terms(1.0, 1.0, 1.0);
    std::tie(terms.heaviest, terms.magic.coarse, terms.magic.fine) = counted;
    return terms;
}

Counted counted(const Terms& terms) { return {terms.heaviest, terms.magic.coarse, terms.magic.fine}; }

Owned<double> powers_of(const Vector<double>& key, double shift, int threads) {
    return filled_array<double>(key.size(),
                                [&](double* out) { projection_powers(key.data(), key.size(), shift, out, threads); });
}

Answer sums_of(const Vector<double>& key, const Vector<double>& power, const Vector<double>& weight, double limit,
               const Counted& of_capped, const Counted& of_free, int threads) {
    require(power.size() == key.size() && weight.size() == key.size(), "key, power and weight differ in length");
    return answer(without_gil([&] {
        return projection_sums(key.data(), power.data(), weight.data(), key.size(), limit, terms_of(of_capped),
                               terms_of(of_free), threads);
    }));
}

std::tuple<Owned<double>, double, double> keys_of(const Vector<double>& margins, double nu, double eta, int threads) {
    require(margins.size() > 0, "margins must not be empty");
    require(nu > 0.0 && nu <= 1.0, "nu must be in (0, 1]");
    std::pair<double, double> ends;
    auto key = filled_array<double>(margins.size(), [&](double* out) {
        ends = extremes(margins.data(), margins.size(), threads);
        projection_keys(margins.data(), margins.size(), log_positive(nu), eta, out, threads);
    });
    return {std::move(key), ends.first, ends.second};
}

std::tuple<Owned<double>, Answer, double> distribution_of(const Vector<double>& key, const Vector<double>& power,
                                                          const Vector<double>& caps, const Vector<double>& units,
                                                          double limit, double scale, double largest, std::size_t rows,
                                                          int threads) {
    require(power.size() == key.size() && caps.size() == key.size() && units.size() == key.size(),
            "key, power, caps and units differ in length");
    std::pair<KeySums, double> filled;
    const auto count = static_cast<double>(rows);
    auto d = filled_array<double>(key.size(), [&](double* out) {
        filled = fill_on_grid(key.data(), power.data(), caps.data(), units.data(), key.size(), limit, scale,
                              Magics(largest, count), Magics(1.0, count), out, threads);
    });
    return {std::move(d), answer(filled.first), filled.second};
}

Takers takers_of(const std::string& name) {
    if (name == "with_weight") return Takers::with_weight;
    if (name == "below_their_caps") return Takers::below_their_caps;
    require(name == "all", "takers must be with_weight, below_their_caps or all");
    return Takers::all;
}

template <class Row>
void check_units(const Row& d, const Vector<double>& units) {
    require(d.size() == units.size(), "d and units differ in length");
}

std::size_t open_of(const Vector<double>& d, const Vector<double>& units, const std::string& takers) {
    check_units(d, units);
    return open_rows(takers_of(takers), units.data(), d.size(), d.data());
}

double give_of(const MutableVector& d, const Vector<double>& units, const std::string& takers, double share) {
    check_units(d, units);
    return give_each(takers_of(takers), units.data(), d.size(), share, d.data());
}

void give_first_of(const MutableVector& d, const Vector<double>& units, const std::string& takers, std::size_t count) {
    check_units(d, units);
    give_first(takers_of(takers), units.data(), d.size(), count, d.data());
}

double start_of(const Vector<double>& key, const Vector<double>& weight, double nu, bool sampled) {
    require(key.size() > 0 && weight.size() == key.size(), "key and weight differ in length, or are empty");
    require(nu > 0.0 && nu <= 1.0, "nu must be in (0, 1]");
    return without_gil([&] { return projection_start(key.data(), weight.data(), key.size(), nu, sampled); });
}

using Cut = std::tuple<double, double, double, double, double, double>;  // the public members of SoftMarginSteps

SoftMarginSteps steps_of(const Cut& cut) {
    SoftMarginSteps steps(0.0, 0.0, 1, 1.0, 1.0);
    std::tie(steps.least, steps.most, steps.factor, steps.mass_magic, steps.paid_magic, steps.heaviest) = cut;
    return steps;
}

Owned<double> buckets_of(const Vector<double>& margins, const Vector<double>& weight, const Cut& cut) {
    require(weight.size() == margins.size(), "margins and weight differ in length");
    return filled_array<double>(SoftMarginSteps::buckets, [&](double* out) {
        std::fill_n(out, SoftMarginSteps::buckets, 0.0);
        fill_buckets(margins.data(), weight.data(), margins.size(), steps_of(cut), out);
    });
}

std::size_t last_of(SoftMarginSteps& steps, const Vector<double>& mass) {
    require(mass.size() == SoftMarginSteps::buckets, "mass must have an entry for each bucket");
    return steps.last_bucket(mass.data());
}

std::tuple<double, double, double> in_bucket(const Vector<double>& margins, const Vector<double>& weight,
                                             const Cut& cut, std::size_t bucket) {
    require(weight.size() == margins.size(), "margins and weight differ in length");
    const auto found = without_gil(
        [&] { return sum_up_to_bucket(margins.data(), weight.data(), margins.size(), steps_of(cut), bucket); });
    return {found.paid, found.lowest, found.highest};
}

}  // namespace

void bind_parts(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<ProjectionSteps>(module, "ProjectionSteps")
        .def(nb::init<double, std::size_t, double, double>(), "start"_a, "rows"_a, "nu"_a, "total"_a)
        .def_ro("limit", &ProjectionSteps::limit)
        .def_ro("shift", &ProjectionSteps::shift)
        .def_ro("fresh", &ProjectionSteps::fresh)
        .def_prop_ro(
            "terms",
            [](const ProjectionSteps& steps) { return std::make_tuple(counted(steps.capped), counted(steps.free)); })
        .def("next", &ProjectionSteps::next, "at_caps"_a, "below_caps"_a, "top"_a)
        .def("value", &ProjectionSteps::value, "scale"_a, "paid_capped"_a, "paid_free"_a, "eta"_a);
    nb::class_<SoftMarginSteps>(module, "SoftMarginSteps")
        .def(nb::init<double, double, std::size_t, double, double>(), "lowest"_a, "highest"_a, "rows"_a, "nu"_a,
             "total"_a)
        .def_prop_ro("cut",
                     [](const SoftMarginSteps& s) {
                         return Cut{s.least, s.most, s.factor, s.mass_magic, s.paid_magic, s.heaviest};
                     })
        .def("last_bucket", &last_of, array_arg("mass"))
        .def(
            "enter",
            [](SoftMarginSteps& steps, double paid, double lowest, double highest) {
                return steps.enter({paid, lowest, highest});
            },
            "paid"_a, "lowest"_a, "highest"_a);
    module.def("sample_stride", &sample_stride, "rows"_a);
    module.def("projection_start", &start_of, array_arg("key"), array_arg("weight"), "nu"_a, "sampled"_a);
    module.def("projection_keys", &keys_of, array_arg("margins"), "nu"_a, "eta"_a, "threads"_a);
    module.def("projection_powers", &powers_of, array_arg("key"), "shift"_a, "threads"_a);
    module.def("projection_sums", &sums_of, array_arg("key"), array_arg("power"), array_arg("weight"), "limit"_a,
               "of_capped"_a, "of_free"_a, "threads"_a);
    module.def("projection_distribution", &distribution_of, array_arg("key"), array_arg("power"), array_arg("caps"),
               array_arg("units"), "limit"_a, "scale"_a, "largest"_a, "rows"_a, "threads"_a);
    module.def("open_rows", &open_of, array_arg("d"), array_arg("units"), "takers"_a);
    module.def("give_each", &give_of, array_arg("d"), array_arg("units"), "takers"_a, "share"_a);
    module.def("give_first", &give_first_of, array_arg("d"), array_arg("units"), "takers"_a, "count"_a);
    module.def("soft_margin_buckets", &buckets_of, array_arg("margins"), array_arg("weight"), "cut"_a);
    module.def("soft_margin_in_bucket", &in_bucket, array_arg("margins"), array_arg("weight"), "cut"_a, "bucket"_a);
}

}  // namespace frankboost
