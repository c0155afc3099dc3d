// Step 2 of a pull: rows that their prefix did not decide.
#pragma once
#include "cuda/bfs/bfs_pull_warp.cuh"

// Entries of a row that come before those in its row of the matrix.
template <typename Labels>
__device__ __forceinline__ int entries_in_prefix(const Search& s) {
    return Labels::kPrefixWidth + (s.ell_slab ? kGroup : 0);
}

// Rows with a visited neighbour are found, the others move to place `remaining` if they go on.
template <typename Labels, bool kFromPrefix = false, typename Offset>
__device__ __forceinline__ void record_rows(const Search& s, PullWarp<Offset>& warp,
                                            const Probes& probes, int level, int& remaining,
                                            Finds<Offset>& finds) {
    const u32 hits = warp.visited.among(probes.neighbour, probes.valid);
    constexpr bool implied = Labels::kRelabelled && kFromPrefix;
    bool won[kRows], named[kRows];
    int row[kRows], parent[kRows], name[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const u32 mine = hits >> r * kGroup & ((1u << kGroup) - 1);
        won[r] = mine != 0;
        named[r] = won[r] && !implied;
        row[r] = warp.row_of(probes.code[r]);
        parent[r] = 0;
#pragma unroll
        for (int k = kGroup - 1; k >= 0; --k)
            if (mine >> k & 1) parent[r] = probes.neighbour[r * kGroup + k];
    }
    name_parents<Labels>(s, parent, named, name);
    __syncwarp();  // all have read the rows whose places others take now
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const int code = probes.code[r];
        if (won[r])
            atomicOr(warp.next + (code >> 9) * 4 * kMaxBlocks + word_of(code & 511),
                     bit_of(row[r]));
        const bool goes_on = !won[r] && (probes.more >> r & 1);
        const u32 going = __ballot_sync(kFull, goes_on);
        if (goes_on)
            warp.rows[remaining + __popc(going & lanes_below())] =
                static_cast<unsigned short>(code);
        remaining += __popc(going);
    }
    finds.add(row, won);
    visit<Labels>(s, row, name, won, level + 1, implied ? kParentIsFirst : 0);
}

// The first group behind the prefix is in the ELL slab, where a row's number says.
template <typename Labels, typename Offset>
__device__ __forceinline__ void probe_slab(const Search& s, PullWarp<Offset>& warp, int level,
                                           Finds<Offset>& finds) {
    const auto ask = [&](int i0) {
        Probes probes;
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const int i = i0 + 32 * r + (threadIdx.x & 31);
            probes.code[r] = i < warp.listed ? warp.rows[i] : 0;
            probes.ask(r,
                       reinterpret_cast<const int4*>(s.ell_slab) +
                           i64{kGroup / 4} * warp.local_row_of(probes.code[r]),
                       i < warp.listed ? kFull : 0);
        }
        return probes;
    };
    int remaining = 0;
    Probes ahead = ask(0);
    for (int i0 = 0; i0 < warp.listed; i0 += 32 * kRows) {
        Probes probes = ahead;
        ahead = ask(i0 + 32 * kRows);
        probes.read();
        record_rows<Labels>(s, warp, probes, level, remaining, finds);
    }
    warp.listed = remaining;
    __syncwarp();
}

// Lists what is left of the rows `probed` some entries for step 3; false where the list is full:
// then the warp goes on by itself.
template <typename Labels, typename Offset>
__device__ __forceinline__ bool list_long_rows(const Search& s, PullWarp<Offset>& warp, int probed,
                                               const Sink& long_rows) {
    const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
    const int skipped = entries_in_prefix<Labels>(s);
    int left = 0;
    bool fits = true;
    for (int i0 = 0; i0 < warp.listed; i0 += 32) {
        const int i = i0 + (threadIdx.x & 31), code = i < warp.listed ? warp.rows[i] : 0;
        Listing<Offset, 1> row;
        row.vertex[0] = warp.row_of(code);
        row.begin[0] = row.length[0] = 0;
        if (i < warp.listed && fits) {
            const int place = warp.local_row_of(code);
            const Offset begin = __ldg(indptr + place) + skipped;
            row.begin[0] = max(begin, (begin & ~Offset{kGroup - 1}) + probed);
            row.length[0] = __ldg(indptr + place + 1) - row.begin[0];
        }
        row.count();
        fits = fits && row.append(long_rows, &long_rows.size->long_rows, &long_rows.size->unlisted);
        if (fits) continue;
        __syncwarp();
        if (i < warp.listed)
            warp.rows[left + (threadIdx.x & 31)] = static_cast<unsigned short>(code);
        left += min(32, warp.listed - i0);
        __syncwarp();
    }
    warp.listed = left;
    return fits;
}

// Step 2: all rows a group further at a time; those that go on move to the front.
template <typename Labels, typename Offset>
__device__ __forceinline__ void probe_rows(const Search& s, PullWarp<Offset>& warp, int level,
                                           const Sink& long_rows, Finds<Offset>& finds) {
    if (s.ell_slab) probe_slab<Labels>(s, warp, level, finds);
    const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
    const int lane = threadIdx.x & 31, skipped = entries_in_prefix<Labels>(s);
    bool leaves = true;  // until the list of step 3 is full
    for (int probed = 0; warp.listed; probed += kGroup) {
        if (leaves && probed >= (warp.listed >= kMany ? kMostEntries : Labels::kLaneEntries))
            leaves = list_long_rows<Labels>(s, warp, probed, long_rows);
        int remaining = 0;
        for (int i0 = 0; i0 < warp.listed; i0 += 32 * kRows) {
            Probes probes;
            Offset begin[kRows], end[kRows];
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                const int i = i0 + 32 * r + lane;
                probes.code[r] = i < warp.listed ? warp.rows[i] : 0;
                const int place = warp.local_row_of(probes.code[r]);
                begin[r] = end[r] = 0;
                load_if(i < warp.listed, indptr + place, begin[r]);
                load_if(i < warp.listed, indptr + place + 1, end[r]);
            }
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                begin[r] += skipped;
                const Offset at = (begin[r] & ~Offset{kGroup - 1}) + probed;
                constexpr u32 kAll = (1u << kGroup) - 1;
                u32 inside = 0;
                if (at < end[r]) {
                    inside = kAll >> max(0, static_cast<int>(at + kGroup - end[r]));
                    if (at < begin[r]) inside &= kAll << (begin[r] - at);
                }
                probes.ask(r, reinterpret_cast<const int4*>(s.in_indices + at), inside);
                probes.valid |= inside << r * kGroup;
                probes.more |= (at + kGroup < end[r] ? 1u : 0u) << r;
            }
            record_rows<Labels>(s, warp, probes, level, remaining, finds);
        }
        warp.listed = remaining;
        __syncwarp();
    }
    warp.listed = 0;
    __syncwarp();
}
