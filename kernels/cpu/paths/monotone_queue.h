// A queue of who is nearest, to which nobody comes that is nearer than the last who left.
//
// Few are in a heap.  In a large heap every step down is a guess that is wrong half of the time:
// there they are dealt out by the highest bit in which their distance differs from that of who left
// last, and dealt out once more when nobody is nearer, so that most of the moves are no guesses.
//
// Ahuja, Mehlhorn, Orlin, Tarjan: Faster algorithms for the shortest path problem (1990).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/paths/heap.h"

namespace spbfs {

// `T` has a distance, a double from 0 and no NaN, and before(), its order.
template <class T>
class MonotoneQueue {
  public:
    bool empty() const { return heap_.empty() && dealt_ == 0; }

    void clear() {
        heap_.clear();
        for (auto& bucket : buckets_) bucket.clear();
        filled_ = dealt_ = 0;
    }

    void push(const T& x) {
        if (dealt_ > 0) {
            ++dealt_;
            deal(x);
        } else {
            heap_.push(x);
            if (heap_.size() > kSmall) deal_all();
        }
    }

    // Who is nearest, which there must be.  soon(x) is told of who may be among the next.
    template <class F>
    T pop(F&& soon) {
        const T top = dealt_ > 0 ? next_dealt(soon) : heap_.pop();
        last_ = bits(top);
        if (dealt_ == 0 && !heap_.empty()) soon(heap_.front());
        return top;
    }

  private:
    static constexpr std::size_t kSmall = 32;
    // Of a bucket of so many all are among the next.
    static constexpr std::size_t kNext = 8;

    // Which rise with the number.
    static std::uint64_t bits(const T& x) { return std::bit_cast<std::uint64_t>(x.distance); }

    void deal(const T& x) {
        // One place up, above a bit that is always there: the sign means nothing, and 0 is a
        // bucket.
        const std::uint64_t different = (bits(x) ^ last_) << 1 | 1;
        const int bucket = 63 - std::countl_zero(different);
        buckets_[bucket].push_back(x);
        filled_ |= std::uint64_t{1} << bucket;
    }

    // Out of line, as it is rare.
    [[gnu::noinline]] void deal_all() {
        dealt_ = heap_.size();
        for (const T& x : heap_) deal(x);
        heap_.clear();
    }

    template <class F>
    T next_dealt(F&& soon) {
        --dealt_;
        const int lowest = std::countr_zero(filled_);
        auto& bucket = buckets_[lowest];
        if (lowest == 0 || bucket.size() == 1) {
            const T top = bucket.back();
            bucket.pop_back();
            if (bucket.empty()) filled_ &= filled_ - 1;
            return top;
        }
        filled_ &= filled_ - 1;
        std::swap(bucket, emptied_);
        std::size_t least = 0;
        for (std::size_t i = 1; i < emptied_.size(); ++i)
            least = bits(emptied_[i]) < bits(emptied_[least]) ? i : least;
        const T top = std::exchange(emptied_[least], emptied_.back());
        emptied_.pop_back();
        last_ = bits(top);
        if (emptied_.size() <= kNext)
            for (const T& x : emptied_) soon(x);
        for (const T& x : emptied_) deal(x);
        emptied_.clear();
        return top;
    }

    Heap<T> heap_;
    // Bucket 0 is of those as near as who left last.
    std::array<std::vector<T>, 64> buckets_;
    std::vector<T> emptied_;
    std::uint64_t filled_ = 0, last_ = 0;
    std::size_t dealt_ = 0;
};

}  // namespace spbfs
