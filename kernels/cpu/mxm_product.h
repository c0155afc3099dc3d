// The whole of a matrix product: chunks of rows grow lists of entries of their own, and once all
// are known they are copied into place.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "interrupt.h"
#include "mxm_rows.h"
#include "parallel.h"

namespace spbfs {

// How rows are made, by the names that the planner gives the ways.
enum class Method { Dense, Hash, Dots };

inline Method method_of(std::string_view name) {
    if (name == "dense") return Method::Dense;
    if (name == "hash") return Method::Hash;
    if (name == "dots") return Method::Dots;
    throw std::invalid_argument("kernel: no such method");
}

// Entries that a chunk of rows reserves at most.
constexpr std::int64_t kMostReserved = 1 << 24;

// Entries of consecutive rows of C.
template <class S, class I>
struct Piece {
    struct Box {
        typename S::Value value;
    };
    std::vector<I> columns;
    std::vector<Box> sums;

    // Memory that is not written is not taken; growing would write all of it again and again.
    void reserve(std::int64_t most) {
        const auto room = static_cast<std::size_t>(std::min(most, kMostReserved));
        columns.reserve(room);
        if constexpr (!S::pattern) sums.reserve(room);
    }
};

// Takes the entries of one row of C into a piece, or without one counts them.
template <class S, class I>
class RowEntries {
  public:
    explicit RowEntries(Piece<S, I>* piece)
        : piece_(piece), begin_(piece == nullptr ? 0 : piece->columns.size()) {}

    // Before the first one: how many there are at most.
    void expect(std::size_t most) {
        if (piece_ == nullptr) return;
        resize(begin_ + most);
        columns_ = piece_->columns.data() + begin_;
        if constexpr (!S::pattern) sums_ = piece_->sums.data() + begin_;
    }
    void operator()(I j, typename S::Value sum) {
        if (piece_ != nullptr) {
            columns_[count_] = j;
            if constexpr (!S::pattern) sums_[count_].value = sum;
        }
        ++count_;
    }
    // Gives back what was not needed; returns how many there are.
    std::int64_t finish() {
        if (piece_ != nullptr) resize(begin_ + count_);
        return static_cast<std::int64_t>(count_);
    }

  private:
    void resize(std::size_t size) {
        piece_->columns.resize(size);
        if constexpr (!S::pattern) piece_->sums.resize(size);
    }

    Piece<S, I>* piece_;
    std::size_t begin_, count_ = 0;
    I* columns_ = nullptr;
    typename Piece<S, I>::Box* sums_ = nullptr;
};

struct Result {
    std::unique_ptr<std::int64_t[]> indptr;
    std::unique_ptr<char[]> indices, values;
    std::int64_t entries = 0;
};

// Rows that a worker takes at a time: a 32nd of its share, as rows are skewed.
constexpr std::int64_t kMostRowsPerChunk = 1024;

inline std::int64_t rows_per_chunk(std::int64_t rows, int threads) {
    if (threads == 1) return kMostRowsPerChunk;
    return std::clamp<std::int64_t>(rows / (threads * 32), 1, kMostRowsPerChunk);
}

// Runs Rows over every row, into pieces that hold `grain` rows each; indptr gets the rows' counts.
template <class Rows, class S, class I>
void multiply(const S& s, const MxmTask<I>& task, bool count_only, std::int64_t grain, Team& team,
              std::vector<Piece<S, I>>& pieces, std::int64_t* indptr, Interrupt& interrupt) {
    std::vector<std::unique_ptr<Rows>> methods(static_cast<std::size_t>(team.workers()));
    std::atomic<bool> out_of_memory{false};  // bodies of loops may not throw
    auto halted = [&] {
        return interrupt.stopped() || out_of_memory.load(std::memory_order_relaxed);
    };
    auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
        if (halted()) return;
        try {
            auto& method = methods[static_cast<std::size_t>(worker)];
            if (!method) method = std::make_unique<Rows>(s, task);
            Piece<S, I>& piece = pieces[static_cast<std::size_t>(begin / grain)];
            if (!count_only) {
                std::int64_t most = 0;
                for (std::int64_t i = begin; i < end; ++i) most += method->most(i);
                piece.reserve(most);
            }
            for (std::int64_t i = begin; i < end && !halted(); ++i) {
                RowEntries<S, I> entries(count_only ? nullptr : &piece);
                method->row(i, entries);
                indptr[i + 1] = entries.finish();
                interrupt.poll(worker, 1 + method->work(i));
            }
        } catch (const std::bad_alloc&) {
            out_of_memory = true;
        }
    };
    team.for_chunks(task.A.rows, grain, body);
    if (out_of_memory) throw std::bad_alloc();
}

// How a product's rows are run: multiply() for one class of them.
template <class S, class I>
using Run = void (*)(const S&, const MxmTask<I>&, bool, std::int64_t, Team&,
                     std::vector<Piece<S, I>>&, std::int64_t*, Interrupt&);

template <class S, class I>
Run<S, I> run_of(Method method) {
    using Value = typename S::Value;
    switch (method) {
        case Method::Dense:
            return multiply<RowsMethod<S, I, DenseAccumulator<Value>>>;
        case Method::Hash:
            return multiply<RowsMethod<S, I, HashAccumulator<Value>>>;
        default:
            return multiply<DotMethod<S, I>>;
    }
}

template <class S, class I>
void product(Run<S, I> run, const S& s, const MxmTask<I>& task, bool count_only,
             std::size_t value_size, int threads, Result& result, Interrupt& interrupt) {
    const std::int64_t rows = task.A.rows, grain = rows_per_chunk(rows, threads);
    Team team(threads);
    std::vector<Piece<S, I>> pieces(static_cast<std::size_t>((rows + grain - 1) / grain));
    result.indptr.reset(new std::int64_t[static_cast<std::size_t>(rows) + 1]());
    std::int64_t* indptr = result.indptr.get();
    run(s, task, count_only, grain, team, pieces, indptr, interrupt);
    if (interrupt.stopped()) return;
    std::partial_sum(indptr, indptr + rows + 1, indptr);
    result.entries = indptr[rows];
    if (count_only) return;

    const auto entries = static_cast<std::size_t>(result.entries);
    result.indices.reset(new char[entries * sizeof(I)]);
    if constexpr (!S::pattern) result.values.reset(new char[entries * value_size]);
    team.for_chunks(rows, grain, [&](std::int64_t begin, std::int64_t, int) {
        Piece<S, I>& piece = pieces[static_cast<std::size_t>(begin / grain)];
        const std::int64_t at = indptr[begin];
        std::copy(piece.columns.begin(), piece.columns.end(),
                  reinterpret_cast<I*>(result.indices.get()) + at);
        for (std::size_t t = 0; t < piece.sums.size(); ++t)
            s.store(result.values.get(), at + static_cast<std::int64_t>(t), piece.sums[t].value);
        piece = {};
    });
}

}  // namespace spbfs
