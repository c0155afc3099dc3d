// Where one of several GPUs has its results: by the caller's labels, but for words of 32 labels of
// which it has none.  Its memory is then written from end to end, and needs half of the room on
// two.
#pragma once

// Of 32 such words, which it has, and how many of its words come before them.
struct OwnWords {
    unsigned mask, before;
};

// Where the result of a label lies that it has; `words` is null where nothing is left out.
__device__ __forceinline__ long long own_place(const OwnWords* words, long long label) {
    if (words == nullptr) return label;
    const OwnWords some = words[label >> 10];
    const unsigned bit = label >> 5 & 31;
    return (some.before + __popc(some.mask & ((1u << bit) - 1))) * 32ll + (label & 31);
}

// An output of one GPU, as others read it.
struct OwnResults {
    const int* values;
    const OwnWords* words;

    __device__ __forceinline__ int operator[](long long label) const {
        return __ldcg(values + own_place(words, label));
    }
};
