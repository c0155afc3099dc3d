// A heap whose nodes have four children: half as deep as a binary one, and siblings share a line of
// memory.
//
// Johnson: Efficient algorithms for shortest paths in sparse networks (1977).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace spbfs {

// Who is before all others on top; `T` has before(), a strict order.
template <class T>
class Heap {
  public:
    bool empty() const { return nodes_.empty(); }
    std::size_t size() const { return nodes_.size(); }
    const T& front() const { return nodes_.front(); }
    auto begin() const { return nodes_.begin(); }
    auto end() const { return nodes_.end(); }
    void clear() { nodes_.clear(); }

    void push(const T& x) {
        std::size_t at = nodes_.size();
        nodes_.push_back(x);
        while (at > 0) {
            const std::size_t parent = (at - 1) / kChildren;
            if (!x.before(nodes_[parent])) break;
            nodes_[at] = nodes_[parent];
            at = parent;
        }
        nodes_[at] = x;
    }

    T pop() {
        const T top = nodes_.front(), last = nodes_.back();
        nodes_.pop_back();
        const std::size_t size = nodes_.size();
        std::size_t at = 0;
        for (std::size_t first = 1; first < size; first = at * kChildren + 1) {
            const std::size_t least =
                first + kChildren <= size ? of_four(first) : of_few(first, size);
            if (!nodes_[least].before(last)) break;
            nodes_[at] = nodes_[least];
            at = least;
        }
        if (size > 0) nodes_[at] = last;
        return top;
    }

  private:
    static constexpr std::size_t kChildren = 4;

    // The least of the siblings from `first` on.  By arithmetic: it is hard to foretell.
    std::size_t of_four(std::size_t first) const {
        const T* const c = nodes_.data() + first;
        const std::size_t a = c[1].before(c[0]), b = 2 + std::size_t{c[3].before(c[2])};
        return first + (c[b].before(c[a]) ? b : a);
    }

    std::size_t of_few(std::size_t first, std::size_t end) const {
        std::size_t least = first;
        for (std::size_t c = first + 1; c < end; ++c)
            if (nodes_[c].before(nodes_[least])) least = c;
        return least;
    }

    std::vector<T> nodes_;
};

}  // namespace spbfs
