// Rows that lie on lines of their own once more, where entries are in memory of the host.
//
// What the bus carries is a number of requests, whatever they bring: of rows in order, one in nine,
// a line of 128 bytes takes 2.5 ns, 96 bytes of one 2.2, 32 bytes 1.4 (an H200).  A row that begins
// anywhere lies on two lines, and is asked for twice by warps that cut a list into equal runs of
// edges.  So where rows are about equally long their first entries are stored once more: every row
// on a line of 16 << shift bytes, of which each 16 hold as many numbers of so many bits as fit, and
// each row is asked for once, by a lane for every 16 bytes.  What a row has beyond its line is read
// where the row lies.  Min et al. align what warps read (EMOGI, VLDB 2021); rows that begin on
// lines are the next step.
#pragma once

struct RowLines {
    const uint4* groups;  // [rows << shift] of 16 bytes, or null: there are none
    int shift;
    int bits;  // of a number

    // Numbers of 16 bytes, and of a line.
    __device__ __forceinline__ int each() const { return 128 / bits; }
    __device__ __forceinline__ int held() const { return groups ? each() << shift : 0; }
    __device__ __forceinline__ const uint4* of_row(long long row) const {
        return groups + (row << shift);
    }
};

// A number of 1 to 32 bits, behind so many others, among 128.
__device__ __forceinline__ int packed_number(const uint4& x, int bits, int behind) {
    const int bit = bits * behind, word = bit >> 5;
    const unsigned low = word < 2 ? (word ? x.y : x.x) : (word == 2 ? x.z : x.w);
    const unsigned high = word < 2 ? (word ? x.z : x.y) : x.w;
    return static_cast<int>(__funnelshift_r(low, high, bit & 31) & (0xffffffffu >> (32 - bits)));
}
