// A push into a list: (element, product) pairs are collected and sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cpu/products/push_task.h"

namespace spbfs::push {

// Where a product goes and when it was made.
struct Sent {
    std::int64_t to, order;
};

// By element, then in the order of the frontier, so that sums come out as from the dense way.
inline void sort_sent(std::vector<Sent>& sent) {
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

}  // namespace spbfs::push
