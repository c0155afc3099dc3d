// Look-ups in rising arrays.
#pragma once

// The last of [first, last] whose value in rising `at` is not above `key`.
template <typename T, typename Key>
__device__ __forceinline__ long long last_not_above(const T* at, long long first, long long last,
                                                    Key key) {
    while (first < last) {
        const long long middle = (first + last + 1) / 2;
        if (at[middle] <= key)
            first = middle;
        else
            last = middle - 1;
    }
    return first;
}
