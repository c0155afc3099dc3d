// Pairs of sums over rows, the same whatever the number of workers: every strip of rows has a sum
// of its own, which its worker alone writes, and these are summed in their order.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace spbfs {

// Enough work that taking a strip costs nothing, few enough rows to balance hubs.
constexpr std::int64_t kRows = 1024;
// Sums side by side.
constexpr int kLanes = 4;

// Sums of one pair of numbers a strip.
class StripSums {
  public:
    explicit StripSums(std::int64_t n)
        : count_((n + kRows - 1) / kRows), sums_(new std::pair<double, double>[count_]()) {}

    void set(std::int64_t begin, const double* first, const double* second) {
        auto& [x, y] = sums_[begin / kRows] = {0.0, 0.0};
        for (int lane = 0; lane < kLanes; ++lane) {
            x += first[lane];
            y += second[lane];
        }
    }
    std::pair<double, double> all() const {
        std::pair<double, double> sum{0.0, 0.0};
        for (std::int64_t i = 0; i < count_; ++i) {
            sum.first += sums_[i].first;
            sum.second += sums_[i].second;
        }
        return sum;
    }

  private:
    std::int64_t count_;
    std::unique_ptr<std::pair<double, double>[]> sums_;
};

}  // namespace spbfs
