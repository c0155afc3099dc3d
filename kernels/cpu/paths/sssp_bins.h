// Vertices that have been reached, by how far: what delta-stepping keeps in order.
//
// A bin holds those whose distance is in an interval of the width, delta.  A vertex is put into the
// bin of its distance whenever that falls, and never taken out of another: an item is stale where
// its distance is no longer the vertex's.  So one item of a vertex, at most, is not stale.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace spbfs::sssp {

template <class Index, class Distance>
struct Item {
    Index vertex;
    Distance distance;
};

// Which bin a distance belongs to.  The width is a power of two, so that no rounding puts the sum
// of a distance and the width into the same bin as the distance.
template <class Distance>
class Width {
  public:
    explicit Width(double width) : width_(width), per_(1.0 / width) {
        while (std::is_integral_v<Distance> && width > 1.0) {
            width /= 2.0;
            ++shift_;
        }
    }

    std::uint64_t bin(Distance distance) const {
        if constexpr (std::is_integral_v<Distance>)
            return static_cast<std::uint64_t>(distance) >> shift_;
        else
            return static_cast<std::uint64_t>(distance * per_);
    }
    // Where an edge stands in a row that is in order: by the bin of its length, as far as there are
    // classes.
    static constexpr std::uint64_t kClasses = 16;
    std::uint64_t length_class(Distance length) const {
        return std::min(bin(length), kClasses - 1);
    }
    // No edge behind one of such a length is shorter.
    Distance least_behind(Distance length) const { return begin(length_class(length)); }
    // The least distance of a bin.
    Distance begin(std::uint64_t bin) const {
        if constexpr (std::is_integral_v<Distance>)
            return static_cast<Distance>(bin << shift_);
        else
            return static_cast<Distance>(bin) * width_;
    }

  private:
    double width_, per_;
    int shift_ = 0;
};

constexpr std::uint64_t kNoBin = std::numeric_limits<std::uint64_t>::max();

// Those that one worker has reached: a ring of open bins, from the one that is processed on, and
// one list of all that is farther.
template <class Index, class Distance>
class Bins {
  public:
    using List = std::vector<Item<Index, Distance>>;
    // More than greatest length over width where lengths are much alike: then nothing is far.
    static constexpr std::uint64_t kOpen = 128;

    void put(std::uint64_t bin, Item<Index, Distance> item) {
        bin = std::max(bin, first_);
        if (bin - first_ < kOpen) {
            open_[bin % kOpen].push_back(item);
        } else {
            far_.push_back(item);
            nearest_far_ = std::min(nearest_far_, bin);
        }
    }

    List& operator[](std::uint64_t bin) { return open_[bin % kOpen]; }

    // The first bin that has items.
    std::uint64_t first() const {
        for (std::uint64_t bin = first_; bin < first_ + kOpen; ++bin)
            if (!open_[bin % kOpen].empty()) return std::min(bin, nearest_far_);
        return nearest_far_;
    }

    // Bins before `from` are empty, and those from it to `bin` are that one from now on.
    template <class Distances>
    void go_on(std::uint64_t from, std::uint64_t bin, const Width<Distance>& width,
               const Distances& distances) {
        first_ = bin;
        List& all = open_[bin % kOpen];
        for (; from < bin; ++from) {
            List& some = open_[from % kOpen];
            all.insert(all.end(), some.begin(), some.end());
            some.clear();
        }
        if (bin < nearest_far_) return;
        List far;
        far.swap(far_);
        nearest_far_ = kNoBin;
        for (const auto& item : far)
            if (distances[item.vertex] == item.distance) put(width.bin(item.distance), item);
    }

  private:
    std::array<List, kOpen> open_;
    List far_;
    std::uint64_t first_ = 0, nearest_far_ = kNoBin;
};

}  // namespace spbfs::sssp
