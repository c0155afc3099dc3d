// Pairs of values on their way through a Program: gathered until a block is full, then combined.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cpu/operators/product_semiring.h"
#include "cpu/operators/program.h"

namespace spbfs {

// f(zero) with a zero as large as a value of so many bytes, for what is moved and not looked at.
template <class F>
auto with_size(int size, F&& f) {
    switch (size) {
        case 1:
            return f(std::uint8_t{});
        case 2:
            return f(std::uint16_t{});
        case 4:
            return f(std::uint32_t{});
        default:
            return f(std::uint64_t{});
    }
}

inline void gather(const void* values, std::int64_t stride, const std::int64_t* at,
                   std::int64_t count, void* to, int size) {
    with_size(size, [&]<class V>(V) {
        for (std::int64_t t = 0; t < count; ++t)
            static_cast<V*>(to)[t] = element<V>(values, at[t] * stride);
    });
}

// Results that stand side by side, in the order of their pairs.  V is as large as the operands.
template <class V>
class PairBlock {
  public:
    PairBlock(const Program& program, const Operands& operands, void* results)
        : evaluate_(program),
          o_(operands),
          results_(static_cast<char*>(results)),
          size_(program.out_size()) {}

    // The next result goes here; those before are done.
    void begin(std::int64_t at) {
        flush();
        at_ = at;
    }
    void push(std::int64_t i, std::int64_t j) {
        x_[count_] = element<V>(o_.x, i * o_.x_stride);
        y_[count_] = element<V>(o_.y, j * o_.y_stride);
        if (++count_ == kBlock) flush();
    }
    // Value i of the first operand with `count` values of the second from j on.
    void push_run(std::int64_t i, std::int64_t j, std::int64_t count) {
        const V x = element<V>(o_.x, i * o_.x_stride);
        while (count > 0) {
            const std::int64_t now = std::min(count, kBlock - count_);
            for (std::int64_t t = 0; t < now; ++t) {
                x_[count_ + t] = x;
                y_[count_ + t] = element<V>(o_.y, (j + t) * o_.y_stride);
            }
            j += now;
            count -= now;
            if ((count_ += now) == kBlock) flush();
        }
    }
    void flush() {
        if (count_ > 0) evaluate_(x_, y_, results_ + at_ * size_, count_);
        at_ += count_;
        count_ = 0;
    }

  private:
    Evaluator evaluate_;
    Operands o_;
    char* results_;
    std::int64_t size_, at_ = 0, count_ = 0;
    V x_[kBlock], y_[kBlock];
};

// Results that stand apart.  V is as large as they are.
template <class V>
class ScatteredPairs {
  public:
    ScatteredPairs(const Program& program, const Operands& operands, void* results)
        : evaluate_(program),
          o_(operands),
          size_(program.in_size()),
          results_(static_cast<V*>(results)) {}

    // Whether it counts is known only after it is written: no branch to mispredict.
    void push(std::int64_t i, std::int64_t j, std::int64_t to, bool counts) {
        i_[count_] = i;
        j_[count_] = j;
        to_[count_] = to;
        if ((count_ += counts) == kBlock) flush();
    }
    void flush() {
        gather(o_.x, o_.x_stride, i_, count_, x_, size_);
        gather(o_.y, o_.y_stride, j_, count_, y_, size_);
        evaluate_(x_, y_, made_, count_);
        for (std::int64_t t = 0; t < count_; ++t) results_[to_[t]] = made_[t];
        count_ = 0;
    }

  private:
    Evaluator evaluate_;
    Operands o_;
    int size_;
    V* results_;
    std::int64_t count_ = 0, i_[kBlock], j_[kBlock], to_[kBlock];
    std::uint64_t x_[kBlock], y_[kBlock];
    V made_[kBlock];
};

}  // namespace spbfs
