// The whole of a matrix product: every worker lists the entries of its chunks of rows, and once all
// are known they are copied into place.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cpu/memory/room.h"
#include "cpu/products/mxm_dots.h"
#include "cpu/products/mxm_rows.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

// How rows are made, by the names that the planner gives the ways.
enum class Method { Dense, Hash, Dots };

inline Method method_of(std::string_view name) {
    if (name == "dense") return Method::Dense;
    if (name == "hash") return Method::Hash;
    if (name == "dots") return Method::Dots;
    throw std::invalid_argument("kernel: no such method");
}

// Entries of C as they stand in its arrays, of the chunks of rows that one worker has made.
class alignas(64) Listed {
  public:
    // Before a chunk, of so many entries at most, and before `chunks` that may be like the first:
    // memory that is not written is not taken, and what grows is copied and taken page by page.
    void reserve(std::int64_t most, std::int64_t chunks, std::size_t index_size,
                 std::size_t value_size) {
        index_size_ = index_size;
        value_size_ = value_size;
        if (room_ == 0 && chunks > 1) {
            try {
                expect(std::min(most * chunks, kMostReserved));
                return;
            } catch (const std::bad_alloc&) {
                // Of a process that may not have so much there may be room for what comes.
            }
        }
        expect(std::min(most, kMostReserved));
    }
    // Makes room for so many more.
    void expect(std::int64_t most) {
        if (entries + most > room_) resize(std::max(entries + most, room_ + room_ / 2));
    }
    // No more will come.
    void cut() { resize(entries); }

    Room columns, values;
    std::int64_t entries = 0;

  private:
    static constexpr std::int64_t kMostReserved = 1 << 24;

    void resize(std::int64_t room) {
        columns.resize(static_cast<std::size_t>(room) * index_size_);
        if (value_size_ != 0) values.resize(static_cast<std::size_t>(room) * value_size_);
        room_ = room;
    }

    std::size_t index_size_ = 0, value_size_ = 0;
    std::int64_t room_ = 0;
};

// What the workers have made, and of every chunk of rows by whom, and where in that list it begins.
struct Pieces {
    struct Piece {
        int worker;
        std::int64_t begin;
    };
    std::vector<Listed> lists;
    std::vector<Piece> of;
};

// Takes the entries of one row of C into a list, or without one counts them.
template <class S, class I>
class RowEntries {
  public:
    RowEntries(const S& s, Listed* list) : s_(s), list_(list) {}

    // Before the first one: how many there are at most.
    void expect(std::size_t most) {
        if (list_ == nullptr) return;
        list_->expect(static_cast<std::int64_t>(most));
        columns_ = list_->columns.template of<I>();
        values_ = list_->values.data();
        at_ = list_->entries;
    }
    void operator()(I j, typename S::Value sum) {
        if (list_ != nullptr) {
            columns_[at_ + count_] = j;
            if constexpr (!S::pattern) s_.store(values_, at_ + count_, sum);
        }
        ++count_;
    }
    // The entry of a number, as often as one likes; add() to what it was set to; take() so many.
    void set(std::int64_t number, I j, typename S::Value sum) {
        if (list_ == nullptr) return;
        columns_[at_ + number] = j;
        if constexpr (!S::pattern) s_.store(values_, at_ + number, sum);
    }
    void add(std::int64_t number, typename S::Value product) {
        if constexpr (!S::pattern)
            if (list_ != nullptr)
                s_.store(values_, at_ + number, s_.sum(s_.load(values_, at_ + number), product));
    }
    void take(std::int64_t count) { count_ += count; }
    // Returns how many there are.
    std::int64_t finish() {
        if (list_ != nullptr) list_->entries += count_;
        return count_;
    }

  private:
    const S& s_;
    Listed* list_;
    I* columns_ = nullptr;
    char* values_ = nullptr;
    std::int64_t at_ = 0, count_ = 0;
};

struct Result {
    std::unique_ptr<std::int64_t[]> indptr;
    Room indices, values;
    std::int64_t entries = 0;
};

// Rows that a worker takes at a time: a 32nd of its share, as rows are skewed.
constexpr std::int64_t kMostRowsPerChunk = 1024;

inline std::int64_t rows_per_chunk(std::int64_t rows, int threads) {
    if (threads == 1) return std::max<std::int64_t>(rows, 1);
    return std::clamp<std::int64_t>(rows / (threads * 32), 1, kMostRowsPerChunk);
}

// Runs Rows over every row; pieces are `grain` rows each, indptr gets the rows' counts.
template <class Rows, class S, class I>
void multiply(const S& s, const MxmTask<I>& task, bool count_only, std::size_t value_size,
              std::int64_t grain, Team& team, Pieces& pieces, std::int64_t* indptr,
              Interrupt& interrupt) {
    std::vector<std::unique_ptr<Rows>> methods(static_cast<std::size_t>(team.workers()));
    std::atomic<bool> out_of_memory{false};  // bodies of loops may not throw
    auto halted = [&] {
        return interrupt.stopped() || out_of_memory.load(std::memory_order_relaxed);
    };
    // A worker's, and a fourth more where others take less.
    const auto workers = static_cast<std::int64_t>(pieces.lists.size());
    const std::int64_t chunks = static_cast<std::int64_t>(pieces.of.size()) * 5 / (4 * workers) + 1;
    auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
        if (halted()) return;
        try {
            auto& method = methods[static_cast<std::size_t>(worker)];
            if (!method) method = std::make_unique<Rows>(s, task);
            Listed& list = pieces.lists[static_cast<std::size_t>(worker)];
            pieces.of[static_cast<std::size_t>(begin / grain)] = {worker, list.entries};
            if (!count_only)
                list.reserve(method->most(begin, end), pieces.of.size() == 1 ? 1 : chunks,
                             sizeof(I), S::pattern ? 0 : value_size);
            for (std::int64_t i = begin; i < end && !halted(); ++i) {
                RowEntries<S, I> entries(s, count_only ? nullptr : &list);
                const std::int64_t work = method->row(i, entries);
                indptr[i + 1] = entries.finish();
                interrupt.poll(worker, 1 + work);
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
using Run = void (*)(const S&, const MxmTask<I>&, bool, std::size_t, std::int64_t, Team&, Pieces&,
                     std::int64_t*, Interrupt&);

template <class S, class I>
Run<S, I> run_of(Method method) {
    using Value = typename S::Value;
    switch (method) {
        case Method::Dense:
            return multiply<RowsMethod<S, I, DenseAccumulator<Value, I>>>;
        case Method::Hash:
            return multiply<RowsMethod<S, I, HashAccumulator<Value, I>>>;
        default:
            return multiply<DotMethod<S, I>>;
    }
}

template <class S, class I>
void product(Run<S, I> run, const S& s, const MxmTask<I>& task, bool count_only,
             std::size_t value_size, int threads, Result& result, Interrupt& interrupt) {
    const std::int64_t rows = task.A.rows, grain = rows_per_chunk(rows, threads);
    Team team(threads);
    Pieces pieces{std::vector<Listed>(static_cast<std::size_t>(team.workers())),
                  std::vector<Pieces::Piece>(static_cast<std::size_t>((rows + grain - 1) / grain))};
    result.indptr.reset(new std::int64_t[static_cast<std::size_t>(rows) + 1]());
    std::int64_t* indptr = result.indptr.get();
    run(s, task, count_only, value_size, grain, team, pieces, indptr, interrupt);
    if (interrupt.stopped()) return;
    std::partial_sum(indptr, indptr + rows + 1, indptr);
    result.entries = indptr[rows];
    if (count_only) return;

    for (Listed& list : pieces.lists) list.cut();
    if (pieces.of.size() == 1) {
        Listed& list = pieces.lists[static_cast<std::size_t>(pieces.of[0].worker)];
        result.indices = std::move(list.columns);
        result.values = std::move(list.values);
        return;
    }
    const auto entries = static_cast<std::size_t>(result.entries);
    const std::size_t sizes[] = {sizeof(I), S::pattern ? 0 : value_size};
    result.indices = Room(entries * sizes[0]);
    if constexpr (!S::pattern) result.values = Room(entries * sizes[1]);
    team.for_chunks(rows, grain, [&](std::int64_t begin, std::int64_t end, int) {
        const Pieces::Piece& piece = pieces.of[static_cast<std::size_t>(begin / grain)];
        const Listed& list = pieces.lists[static_cast<std::size_t>(piece.worker)];
        auto copy = [&](const Room& from, const Room& to, std::size_t size) {
            if (from)
                std::memcpy(to.data() + indptr[begin] * size, from.data() + piece.begin * size,
                            (indptr[end] - indptr[begin]) * size);
        };
        copy(list.columns, result.indices, sizes[0]);
        copy(list.values, result.values, sizes[1]);
    });
}

}  // namespace spbfs
