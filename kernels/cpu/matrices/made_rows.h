// The entries of a matrix whose rows are made in one walk, before it is known how many they have.
//
// Chunks of rows begin where they would if all before them were as long as they can be.  One chunk
// is the result; of several, made by several workers, each is copied to its place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cpu/memory/room.h"
#include "cpu/python/bindings.h"
#include "cpu/python/interpreter.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

// Entries that are worth another thread: to wake it takes as long as a thousand.
constexpr std::int64_t kEntriesPerThread = 1 << 14;
constexpr std::int64_t kRowChunksPerWorker = 16;

template <class I>
class MadeRows {
  public:
    // first(i): how many entries the rows before row i have at most.  Without a size there are no
    // values.
    template <class First>
    MadeRows(std::int64_t rows, First&& first, std::size_t value_size, int threads)
        : rows_(rows),
          value_size_(value_size),
          most_(first(rows)),
          team_(static_cast<int>(std::clamp<std::int64_t>(most_ / kEntriesPerThread, 1, threads))),
          columns_(rooms_of(most_, sizeof(I))),
          values_(rooms_of(most_, value_size)) {
        const std::int64_t chunks =
            team_.workers() == 1 ? 1 : team_.workers() * kRowChunksPerWorker;
        grain_ = std::max<std::int64_t>(1, (rows + chunks - 1) / chunks);
        for (std::int64_t begin = 0; begin < rows; begin += grain_) first_.push_back(first(begin));
        made_.resize(first_.size());
    }

    I* columns() const { return columns_.of<I>(); }
    char* values() const { return values_.data(); }

    // body(begin, end, worker, to) makes rows [begin, end) from entry `to` on and returns behind
    // which one they end; offsets[i + 1] becomes where row i ends.
    template <class Offset, class Body>
    void make(Offset* offsets, Body&& body) {
        Unlocked unlocked;
        offsets[0] = 0;
        team_.for_chunks(rows_, grain_, [&](std::int64_t begin, std::int64_t end, int worker) {
            const std::int64_t c = begin / grain_;
            made_[c] = body(begin, end, worker, first_[c]) - first_[c];
        });
        for (std::size_t c = 0; c < made_.size(); ++c) entries_ += made_[c];
        if (entries_ == most_ || made_.size() < 2) {
            if (columns_) columns_.resize(entries_ * sizeof(I));
            if (values_) values_.resize(entries_ * value_size_);
            return;
        }
        close_up(offsets);
    }

    // The columns' and the values' bytes.
    nb::object take_columns() { return std::move(columns_).array(entries_ * sizeof(I)); }
    nb::object take_values() { return std::move(values_).array(entries_ * value_size_); }

  private:
    static Room rooms_of(std::int64_t count, std::size_t size) {
        return size == 0 ? Room() : Room(static_cast<std::size_t>(count) * size);
    }

    template <class Offset>
    void close_up(Offset* offsets) {
        std::vector<std::int64_t> to(made_.size());
        for (std::size_t c = 1; c < made_.size(); ++c) to[c] = to[c - 1] + made_[c - 1];
        Room columns = rooms_of(entries_, sizeof(I)), values = rooms_of(entries_, value_size_);
        auto move = [&](const Room& from, const Room& into, std::int64_t c, std::size_t size) {
            if (!from) return;
            std::memcpy(into.data() + to[c] * size, from.data() + first_[c] * size,
                        made_[c] * size);
        };
        team_.for_chunks(rows_, grain_, [&](std::int64_t begin, std::int64_t end, int) {
            const std::int64_t c = begin / grain_;
            const auto apart = static_cast<Offset>(first_[c] - to[c]);
            for (std::int64_t i = begin; i < end; ++i) offsets[i + 1] -= apart;
            move(columns_, columns, c, sizeof(I));
            move(values_, values, c, value_size_);
        });
        columns_ = std::move(columns);
        values_ = std::move(values);
    }

    std::int64_t rows_;
    std::size_t value_size_;
    std::int64_t most_, grain_ = 1, entries_ = 0;
    Team team_;
    Room columns_, values_;
    std::vector<std::int64_t> first_, made_;
};

}  // namespace spbfs
