// Step 2 of a pull: rows that their head did not settle.
#pragma once
#include "bfs_pull_warp.cuh"

// Entries of a row that come before those in its row of the matrix.
template <typename Level>
__device__ __forceinline__ int looked_at(const Search& s) {
    return kHead<Level> + (s.following ? kGroup : 0);
}

// Rows with a visited neighbour are found, the others move to place `kept` if they go on.
template <typename Level, bool kHeads = false, typename Offset>
__device__ __forceinline__ void settle_rows(const Search& s, PullWarp<Offset>& warp,
                                            const Looks& looks, int level, int& kept,
                                            Finds<Offset>& finds) {
    const u32 hits = warp.visited.among(looks.neighbour, looks.valid);
    constexpr bool implied = kRelabelled<Level> && kHeads;
    bool won[kRows], named[kRows];
    int row[kRows], parent[kRows], name[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const u32 mine = hits >> r * kGroup & ((1u << kGroup) - 1);
        won[r] = mine != 0;
        named[r] = won[r] && !implied;
        row[r] = warp.row_of(looks.code[r]);
        parent[r] = 0;
#pragma unroll
        for (int k = kGroup - 1; k >= 0; --k)
            if (mine >> k & 1) parent[r] = looks.neighbour[r * kGroup + k];
    }
    name_parents<Level>(s, parent, named, name);
    __syncwarp();  // all have read the rows whose places others take now
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const int code = looks.code[r];
        if (won[r])
            atomicOr(warp.next + (code >> 9) * 4 * kMaxBlocks + word_of(code & 511),
                     bit_of(row[r]));
        const bool goes_on = !won[r] && (looks.more >> r & 1);
        const u32 going = __ballot_sync(kFull, goes_on);
        if (goes_on)
            warp.rows[kept + __popc(going & lanes_below())] = static_cast<unsigned short>(code);
        kept += __popc(going);
    }
    finds.add(row, won);
    visit<Level>(s, row, name, won, level + 1, implied ? kByHead : 0);
}

// The first group behind the heads lies where a row's number says.
template <typename Level, typename Offset>
__device__ __forceinline__ void look_at_following(const Search& s, PullWarp<Offset>& warp,
                                                  int level, Finds<Offset>& finds) {
    const auto ask = [&](int i0) {
        Looks looks;
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const int i = i0 + 32 * r + (threadIdx.x & 31);
            looks.code[r] = i < warp.listed ? warp.rows[i] : 0;
            looks.ask(r,
                      reinterpret_cast<const int4*>(s.following) +
                          i64{kGroup / 4} * warp.row_of(looks.code[r]),
                      i < warp.listed ? kFull : 0);
        }
        return looks;
    };
    int kept = 0;
    Looks ahead = ask(0);
    for (int i0 = 0; i0 < warp.listed; i0 += 32 * kRows) {
        Looks looks = ahead;
        ahead = ask(i0 + 32 * kRows);
        looks.read();
        settle_rows<Level>(s, warp, looks, level, kept, finds);
    }
    warp.listed = kept;
    __syncwarp();
}

// Lists what is left of the rows `past` some entries for step 3; false where the list is full:
// then the warp goes on by itself.
template <typename Level, typename Offset>
__device__ __forceinline__ bool leave(const Search& s, PullWarp<Offset>& warp, int past,
                                      const Sink& rest) {
    const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
    const int skipped = looked_at<Level>(s);
    int left = 0;
    bool fits = true;
    for (int i0 = 0; i0 < warp.listed; i0 += 32) {
        const int i = i0 + (threadIdx.x & 31), code = i < warp.listed ? warp.rows[i] : 0;
        Listing<Offset, 1> row;
        row.vertex[0] = warp.row_of(code);
        row.begin[0] = row.length[0] = 0;
        if (i < warp.listed && fits) {
            const Offset begin = __ldg(indptr + row.vertex[0]) + skipped;
            row.begin[0] = max(begin, (begin & ~Offset{kGroup - 1}) + past);
            row.length[0] = __ldg(indptr + row.vertex[0] + 1) - row.begin[0];
        }
        row.count();
        fits = fits && row.append(rest, &rest.size->rest, &rest.size->unlisted);
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
template <typename Level, typename Offset>
__device__ __forceinline__ void look_at_rows(const Search& s, PullWarp<Offset>& warp, int level,
                                             const Sink& rest, Finds<Offset>& finds) {
    if (s.following) look_at_following<Level>(s, warp, level, finds);
    const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
    const int lane = threadIdx.x & 31, skipped = looked_at<Level>(s);
    bool leaves = true;  // until the list of step 3 is full
    for (int past = 0; warp.listed; past += kGroup) {
        if (leaves && past >= (warp.listed >= kMany ? kMostEntries : kFewEntries<Level>))
            leaves = leave<Level>(s, warp, past, rest);
        int kept = 0;
        for (int i0 = 0; i0 < warp.listed; i0 += 32 * kRows) {
            Looks looks;
            Offset begin[kRows], end[kRows];
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                const int i = i0 + 32 * r + lane;
                looks.code[r] = i < warp.listed ? warp.rows[i] : 0;
                const int row = warp.row_of(looks.code[r]);
                begin[r] = end[r] = 0;
                load_if(i < warp.listed, indptr + row, begin[r]);
                load_if(i < warp.listed, indptr + row + 1, end[r]);
            }
#pragma unroll
            for (int r = 0; r < kRows; ++r) {
                begin[r] += skipped;
                const Offset at = (begin[r] & ~Offset{kGroup - 1}) + past;
                constexpr u32 kAll = (1u << kGroup) - 1;
                u32 inside = 0;
                if (at < end[r]) {
                    inside = kAll >> max(0, static_cast<int>(at + kGroup - end[r]));
                    if (at < begin[r]) inside &= kAll << (begin[r] - at);
                }
                looks.ask(r, reinterpret_cast<const int4*>(s.in_indices + at), inside);
                looks.valid |= inside << r * kGroup;
                looks.more |= (at + kGroup < end[r] ? 1u : 0u) << r;
            }
            settle_rows<Level>(s, warp, looks, level, kept, finds);
        }
        warp.listed = kept;
        __syncwarp();
    }
    warp.listed = 0;
    __syncwarp();
}
