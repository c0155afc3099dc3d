// A search of what reaches little: what it finds is listed, and no array of n is touched but for
// the bits of what it finds, which it clears again.
//
// It gives up before it looks at more edges than it is allowed, so that trying it costs next to
// nothing where the search reaches much.  The caller guarantees canonical CSR with indices in
// range (columns in any order where least parents are not asked for), distinct sources in range,
// and bits that are all zero; they are left so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/bits.h"
#include "cpu/bfs/bfs_queue.h"
#include "cpu/bfs/bfs_state.h"

namespace spbfs::bfs {

template <class Offset, class Index>
struct ListedOptions {
    std::int64_t max_depth;
    std::int64_t target = -1;  // the search ends with the level that has this vertex
    std::int64_t most_edges;   // it gives up before it has looked at more
    bool parents = false;      // whether parents and owners are listed
    // Whether every level is sorted, by owner and then by vertex: then parents are the least.
    bool sorted = false;
    // Arrays that nobody has checked, the same: it gives up where a row is not canonical.
    std::optional<Given<Offset, Index>> unchecked = std::nullopt;
};

template <class Index>
struct ListedVertex {
    Index owner, vertex, parent;
    bool operator<(const ListedVertex& other) const {
        return owner != other.owner ? owner < other.owner : vertex < other.vertex;
    }
};

template <class Offset, class Index>
class ListedSearch {
  public:
    using Options = ListedOptions<Offset, Index>;

    ListedSearch(Graph<Offset, Index> out, Word* marks) : out_(out), marks_(marks) {}
    ListedSearch(const ListedSearch&) = delete;
    ListedSearch& operator=(const ListedSearch&) = delete;

    // False where it gave up, and what is listed means nothing.
    bool run(const Index* sources, std::int64_t count, const Options& options) {
        clear();
        with_parents_ = options.parents;
        make_room(count);
        for (std::int64_t i = 0; i < count; ++i) {
            set_bit(marks_, sources[i]);
            vertices_[i] = sources[i];
            if (!with_parents_) continue;
            parents_[i] = sources[i];
            owners_[i] = static_cast<Index>(i);
        }
        size_ = count;
        const bool complete = expand(options);
        for (std::int64_t i = 0; i < size_; ++i) marks_[vertices_[i] / kWordBits] = 0;
        return complete;
    }

    // Vertices in the order of their levels; level d begins at levels()[d], and one more entry is
    // the end.
    std::int64_t size() const { return size_; }
    const Index* vertices() const { return vertices_.data(); }
    const Index* parents() const { return parents_.data(); }
    const Index* owners() const { return owners_.data(); }
    const std::vector<std::int64_t>& levels() const { return levels_; }
    std::int64_t edges() const { return edges_; }

  private:
    void clear() {
        size_ = edges_ = 0;
        levels_.assign(1, 0);
    }

    void make_room(std::int64_t size) {
        const auto wanted = static_cast<std::size_t>(size);
        if (vertices_.size() < wanted) vertices_.resize(2 * wanted);
        if (with_parents_ && parents_.size() < wanted) {
            parents_.resize(2 * wanted);
            owners_.resize(2 * wanted);
        }
    }

    bool expand(const Options& options) {
        std::int64_t begin = 0;
        for (;;) {
            std::int64_t frontier_edges = 0;
            for (std::int64_t i = begin; i < size_; ++i)
                frontier_edges += out_.degree(vertices_[i]);
            if (options.unchecked && !canonical(begin, options)) return false;
            levels_.push_back(size_);
            edges_ += frontier_edges;
            const auto depth = static_cast<std::int64_t>(levels_.size()) - 2;
            if (depth >= options.max_depth || frontier_edges == 0 ||
                (options.target >= 0 && test_bit(marks_, options.target)))
                return true;
            if (edges_ > options.most_edges) return false;
            const std::int64_t end = size_;
            make_room(end + frontier_edges + 1);
            if (with_parents_)
                push<true>(begin, end);
            else
                push<false>(begin, end);
            if (size_ == end) return true;
            if (options.sorted) sort(end);
            begin = end;
        }
    }

    // Whether rows of the frontier are those of a matrix; false, too, where they are too many to
    // see.
    bool canonical(std::int64_t begin, const Options& options) const {
        const Given<Offset, Index>& given = *options.unchecked;
        std::int64_t edges = edges_;
        for (std::int64_t i = begin; i < size_; ++i) {
            const Index u = vertices_[i];
            if (!given.valid_row(u)) return false;
            edges += out_.degree(u);
            if (edges > options.most_edges) return false;
            Index before = -1;
            for (Offset k = out_.indptr[u]; k < out_.indptr[u + 1]; ++k) {
                if (out_.indices[k] <= before || out_.indices[k] >= given.n) return false;
                before = out_.indices[k];
            }
        }
        return true;
    }

    // Without a branch that depends on whether a neighbour is marked: no predictor knows it.
    template <bool Parents>
    void push(std::int64_t begin, std::int64_t end) {
        Index* const vertices = vertices_.data();
        std::int64_t size = size_;
        for (std::int64_t i = begin; i < end; ++i) {
            const Index u = vertices[i];
            const Offset row_end = out_.indptr[u + 1];
            for (Offset k = out_.indptr[u]; k < row_end; ++k) {
                const Index v = out_.indices[k];
                Word& word = marks_[v / kWordBits];
                vertices[size] = v;
                if constexpr (Parents) {
                    parents_[size] = u;
                    owners_[size] = owners_[i];
                }
                size += static_cast<std::int64_t>(~(word >> (v & (kWordBits - 1))) & 1);
                word |= bit_of(v);
            }
        }
        size_ = size;
    }

    void sort(std::int64_t begin) {
        if (!with_parents_) {
            std::sort(vertices_.begin() + begin, vertices_.begin() + size_);
            return;
        }
        level_.clear();
        for (std::int64_t i = begin; i < size_; ++i)
            level_.push_back({owners_[i], vertices_[i], parents_[i]});
        std::sort(level_.begin(), level_.end());
        for (std::int64_t i = begin; i < size_; ++i) {
            const auto& entry = level_[i - begin];
            owners_[i] = entry.owner;
            vertices_[i] = entry.vertex;
            parents_[i] = entry.parent;
        }
    }

    const Graph<Offset, Index> out_;
    Word* const marks_;
    bool with_parents_ = false;
    std::int64_t size_ = 0, edges_ = 0;
    std::vector<Index> vertices_, parents_, owners_;
    std::vector<std::int64_t> levels_;
    std::vector<ListedVertex<Index>> level_;
};

}  // namespace spbfs::bfs
