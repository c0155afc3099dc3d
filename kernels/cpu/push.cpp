// Push: w<m> = u' M by the rows of M that the frontier lists.  Every entry of such a row sends its
// product to one element of w, if the mask admits that element.
//
// Two ways to meet there, the same result.  `push` adds into a dense w: right when the frontier has
// edges enough to touch a good part of it.  `push_list` collects (element, product) pairs and sorts
// them: its work depends on the edges alone, which is what thousands of small levels need.
#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <type_traits>
#include <vector>

#include "bindings.h"
#include "frontier.h"
#include "interrupt.h"
#include "parallel.h"
#include "product.h"

namespace spbfs {
namespace {

// Rows of the frontier a worker takes at a time: hubs make rows uneven, so few.
constexpr std::int64_t kRowsPerChunk = 64;

// Rows between the fetch of a row and its use: rows of a frontier stand anywhere.
constexpr std::int64_t kAhead = 8;
// A pass over every element pays for one edge or more in this many elements.
constexpr std::int64_t kPatternShare = 16;
// Elements whose mask a worker applies at a time.
constexpr std::int64_t kElementsPerChunk = 1 << 16;

struct Task {
    const std::int64_t* frontier;  // strictly increasing
    std::int64_t count;
    const std::uint8_t* mask;  // nullptr: everything is admitted
    bool complement;
    int threads;
    Interrupt* interrupt;

    bool admits(std::int64_t j) const { return mask == nullptr || (mask[j] != 0) != complement; }
};

// send(j, p, t, k) for every admitted entry j in [first, last) of the rows k that the frontier
// lists at [begin, end); p is the entry's place in M, t that of its row in the frontier.
template <class O, class I, class Send>
void expand(const Csr<O, I>& M, const Task& task, std::int64_t begin, std::int64_t end,
            std::int64_t first, std::int64_t last, Send&& send) {
    for (std::int64_t t = begin; t < end; ++t) {
        if (t + 2 * kAhead < task.count)
            __builtin_prefetch(&M.indptr[task.frontier[t + 2 * kAhead]]);
        if (t + kAhead < task.count)
            __builtin_prefetch(&M.indices[M.indptr[task.frontier[t + kAhead]]]);
        const std::int64_t k = task.frontier[t], row_end = M.indptr[k + 1];
        std::int64_t p = M.indptr[k];
        if (first > 0) p = std::lower_bound(M.indices + p, M.indices + row_end, first) - M.indices;
        for (; p < row_end && M.indices[p] < last; ++p) {
            const std::int64_t j = M.indices[p];
            if (task.admits(j)) send(j, p, t, k);
        }
    }
}

// The same of whole rows.
template <class O, class I, class Send>
void expand(const Csr<O, I>& M, const Task& task, std::int64_t begin, std::int64_t end,
            Send&& send) {
    expand(M, task, begin, end, 0, std::numeric_limits<std::int64_t>::max(), send);
}

template <class O, class I>
std::int64_t edges_of(const Csr<O, I>& M, const Task& task, std::int64_t begin, std::int64_t end) {
    std::int64_t edges = 0;
    for (std::int64_t t = begin; t < end; ++t)
        edges += M.indptr[task.frontier[t] + 1] - M.indptr[task.frontier[t]];
    return edges;
}

template <class O, class I>
std::int64_t edges_of(const Csr<O, I>& M, const Task& task) {
    return edges_of(M, task, 0, task.count);
}

// All by value and never inlined: what is read in the loop stays in registers, though it writes
// bytes, which may alias anything.  Inlined among the strips it takes a quarter longer.
template <class S, class O, class I>
[[gnu::noinline]] std::int64_t push_strip(S s, Csr<O, I> M, Task task, std::int64_t begin,
                                          std::int64_t end, std::int64_t first, std::int64_t last,
                                          std::uint8_t* present, void* values) {
    std::int64_t found = 0;
    expand(M, task, begin, end, first, last,
           [&](std::int64_t j, std::int64_t p, std::int64_t t, std::int64_t k) {
               if (present[j] == 0) {
                   present[j] = 1;
                   ++found;
                   s.store(values, j, s.product(p, t, j, k, 0));
               } else if constexpr (!S::any) {
                   s.store(values, j, s.sum(s.load(values, j), s.product(p, t, j, k, 0)));
               }
           });
    return found;
}

// Whatever the monoid, for the elements in [first, last) of w: others take no part in it, so blocks
// of elements are work for several workers, without atomics and with sums in the same order.
template <class S, class O, class I>
std::int64_t push_block(const S& s, const Csr<O, I>& M, const Task& task, std::int64_t first,
                        std::int64_t last, std::uint8_t* present, void* values, int worker) {
    std::int64_t found = 0;
    task.interrupt->strips(
        0, task.count, kRowsPerStrip, worker, [&](std::int64_t begin, std::int64_t end) {
            found += push_strip(s, M, task, begin, end, first, last, present, values);
            return end - begin + edges_of(M, task, begin, end);
        });
    return found;
}

template <class S, class O, class I>
std::int64_t push_blocks(const S& s, const Csr<O, I>& M, const Task& task, std::int64_t blocks,
                         std::uint8_t* present, void* values, std::int64_t columns) {
    const std::int64_t width = (columns + blocks - 1) / blocks;
    std::atomic<std::int64_t> total{0};
    Team(task.threads)
        .for_chunks(columns, width, [&](std::int64_t begin, std::int64_t end, int worker) {
            total.fetch_add(push_block(s, M, task, begin, end, present, values, worker),
                            std::memory_order_relaxed);
        });
    return total.load();
}

// Nothing but the pattern is wanted: every neighbour is set, whatever the mask, whoever else sets
// it too, and what the mask refuses is taken out in one sequential pass.  Most edges of a large
// frontier lead to what is visited or found already, and which do no predictor can know.
template <class O, class I>
std::int64_t push_pattern(const Csr<O, I>& M, const Task& task, std::uint8_t* present,
                          std::int64_t columns) {
    Task open = task;
    open.mask = nullptr;
    Team team(task.threads);
    auto send = [&](std::int64_t j, std::int64_t, std::int64_t, std::int64_t) {
        std::atomic_ref<std::uint8_t>(present[j]).store(1, std::memory_order_relaxed);
    };
    auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
        if (task.interrupt->stopped()) return;
        expand(M, open, begin, end, send);
        task.interrupt->poll(worker, end - begin + edges_of(M, task, begin, end));
    };
    team.for_chunks(task.count, kRowsPerChunk, body);
    const std::uint64_t turned = task.complement ? kEveryByte : 0;
    std::atomic<std::int64_t> total{0};
    team.for_chunks(columns, kElementsPerChunk, [&](std::int64_t begin, std::int64_t end, int) {
        std::int64_t found = 0;
        for (std::int64_t j = begin; j < end; j += 8) {
            std::uint64_t set = load_bytes(present, j, end);
            if (task.mask != nullptr) set &= nonzero_bytes(load_bytes(task.mask, j, end)) ^ turned;
            std::memcpy(present + j, &set,
                        static_cast<std::size_t>(std::min<std::int64_t>(8, end - j)));
            found += std::popcount(set);
        }
        total.fetch_add(found, std::memory_order_relaxed);
    });
    return total.load();
}

// Several workers and a monoid for which the first product is as good as any: whoever sets the
// byte stores the value, and nobody reads it before the loop has ended.
template <class S, class O, class I>
std::int64_t push_claim(const S& s, const Csr<O, I>& M, const Task& task, std::uint8_t* present,
                        void* values) {
    std::atomic<std::int64_t> total{0};
    Team(task.threads)
        .for_chunks(
            task.count, kRowsPerChunk, [&](std::int64_t begin, std::int64_t end, int worker) {
                if (task.interrupt->stopped()) return;
                std::int64_t found = 0;
                auto send = [&](std::int64_t j, std::int64_t p, std::int64_t t, std::int64_t k) {
                    std::atomic_ref<std::uint8_t> claim(present[j]);
                    if (claim.load(std::memory_order_relaxed) != 0) return;
                    if (claim.exchange(1, std::memory_order_relaxed) != 0) return;
                    s.store(values, j, s.product(p, t, j, k, 0));
                    ++found;
                };
                expand(M, task, begin, end, send);
                task.interrupt->poll(worker, end - begin + edges_of(M, task, begin, end));
                total.fetch_add(found, std::memory_order_relaxed);
            });
    return total.load();
}

// Where a product goes and when it was made.
struct Sent {
    std::int64_t to, order;
};

// By element, then in the order of the frontier, so that sums come out as from the dense way.
void sort_sent(std::vector<Sent>& sent) {
    std::sort(sent.begin(), sent.end(), [](const Sent& a, const Sent& b) {
        return a.to != b.to ? a.to < b.to : a.order < b.order;
    });
}

// Elements of w in order with their sums; `indices` and `values` have room for every edge.
template <class S, class O, class I>
std::int64_t push_sorted(const S& s, const Csr<O, I>& M, const Task& task, std::int64_t* indices,
                         void* values, std::int64_t room) {
    std::int64_t count = 0;
    if (edges_of(M, task) > room)
        throw std::invalid_argument("kernel: the list has no room for every edge");
    if constexpr (S::pattern) {
        expand(M, task, 0, task.count,
               [&](std::int64_t j, std::int64_t, std::int64_t, std::int64_t) {
                   indices[count++] = j;
               });
        std::sort(indices, indices + count);
        return std::unique(indices, indices + count) - indices;
    } else {
        std::vector<Sent> sent;
        std::vector<typename S::Value> products;
        expand(M, task, 0, task.count,
               [&](std::int64_t j, std::int64_t p, std::int64_t t, std::int64_t k) {
                   sent.push_back({j, static_cast<std::int64_t>(products.size())});
                   products.push_back(s.product(p, t, j, k, 0));
               });
        sort_sent(sent);
        for (std::size_t i = 0; i < sent.size();) {
            const std::int64_t j = sent[i].to;
            typename S::Value sum = products[static_cast<std::size_t>(sent[i].order)];
            for (++i; i < sent.size() && sent[i].to == j; ++i)
                if constexpr (!S::any)
                    sum = s.sum(sum, products[static_cast<std::size_t>(sent[i].order)]);
            indices[count] = j;
            s.store(values, count++, sum);
        }
        return count;
    }
}

// Everything that both launchers are given; f(s, M, task) runs the kernel.
template <class F>
std::int64_t with_task(const Input& indptr, const Input& indices, const Input& matrix_values,
                       const Input& frontier, const Input& vector_values, const ProductName& name,
                       const Maybe<Input>& mask, bool complement, std::int64_t columns, int threads,
                       F&& f) {
    const std::int64_t count = length(frontier);
    const Operands operands{matrix_values.data(), stride(matrix_values), vector_values.data(),
                            stride(vector_values)};
    Interrupt interrupt;
    const Task task{data<std::int64_t>(frontier, count),
                    count,
                    data<std::uint8_t>(mask, columns),
                    complement,
                    threads,
                    &interrupt};
    std::int64_t found = 0;
    {
        nb::gil_scoped_release release;
        with_csr(indptr, indices, [&](const auto& M) {
            const bool known =
                with_semiring(name, operands, [&](const auto& s) { found = f(s, M, task); });
            if (!known) throw std::invalid_argument("kernel: no such product");
        });
    }
    interrupt.check();
    return found;
}

void* values_of(const Maybe<Output>& values, std::int64_t least, const ProductName& name) {
    if (values) {
        check_dense(*values, least, static_cast<std::size_t>(size_of(name.out)));
        return values->data();
    }
    if (name.monoid == "any" && name.multiply == "pair") return nullptr;
    throw std::invalid_argument("kernel: this product has values to store");
}

std::int64_t push(Input indptr, Input indices, Input matrix_values, Input frontier,
                  Input vector_values, const std::string& monoid, const std::string& multiply,
                  int in_type, int out_type, Maybe<Input> mask, bool complement, Output present,
                  Maybe<Output> values, std::int64_t blocks, int threads) {
    const ProductName name{monoid, multiply, Type{in_type}, Type{out_type}};
    const std::int64_t columns = length(present);
    auto* bytes = writable<std::uint8_t>(present, columns);
    void* out = values_of(values, columns, name);
    return with_task(indptr, indices, matrix_values, frontier, vector_values, name, mask,
                     complement, columns, threads, [&](const auto& s, const auto& M, Task task) {
                         using S = std::remove_cvref_t<decltype(s)>;
                         if constexpr (S::pattern)
                             if (edges_of(M, task) * kPatternShare > columns)
                                 return push_pattern(M, task, bytes, columns);
                         if constexpr (S::any)
                             if (task.threads > 1) return push_claim(s, M, task, bytes, out);
                         return push_blocks(s, M, task, blocks, bytes, out, columns);
                     });
}

std::int64_t push_list(Input indptr, Input indices, Input matrix_values, Input frontier,
                       Input vector_values, const std::string& monoid, const std::string& multiply,
                       int in_type, int out_type, std::int64_t columns, Maybe<Input> mask,
                       bool complement, Output out_indices, Maybe<Output> values) {
    const ProductName name{monoid, multiply, Type{in_type}, Type{out_type}};
    const std::int64_t room = length(out_indices);
    auto* list = writable<std::int64_t>(out_indices, room);
    void* out = values_of(values, room, name);
    return with_task(indptr, indices, matrix_values, frontier, vector_values, name, mask,
                     complement, columns, 1, [&](const auto& s, const auto& M, Task task) {
                         return push_sorted(s, M, task, list, out, room);
                     });
}

}  // namespace

}  // namespace spbfs

void bind_push(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("push", &spbfs::push, "indptr"_a, "indices"_a, "matrix_values"_a, "frontier"_a,
          "vector_values"_a, "monoid"_a, "multiply"_a, "in_type"_a, "out_type"_a, "mask"_a.none(),
          "complement"_a, "present"_a, "values"_a.none(), "blocks"_a, "threads"_a,
          "w<m> = u' M into zeroed `present` and `values`; returns how many are present.");
    m.def("push_list", &spbfs::push_list, "indptr"_a, "indices"_a, "matrix_values"_a, "frontier"_a,
          "vector_values"_a, "monoid"_a, "multiply"_a, "in_type"_a, "out_type"_a, "columns"_a,
          "mask"_a.none(), "complement"_a, "out_indices"_a, "values"_a.none(),
          "w<m> = u' M as a sorted list; `out_indices` has room for every edge of the frontier.");
}
