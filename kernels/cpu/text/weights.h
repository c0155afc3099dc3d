// What the fields of a line mean, and how weights read: alike where vertices have names or numbers.
#pragma once

#include <bit>
#include <charconv>

#include "cpu/text/text.h"

namespace spbfs::text {

enum Role : char { kSkip = 0, kSource = 1, kTarget = 2, kWeight = 3 };

struct Weight {
    bool real;
    int64_t integer;
    double number;
};

// Whether a decimal that no double holds is nearer to 0 than all of them, not too large for them.
inline bool is_tiny(const char* p, const char* end) {
    int64_t digits = 0;  // before the point, or minus the zeros behind it
    bool significant = false, behind = false;
    for (; p < end && *p != 'e' && *p != 'E'; ++p) {
        if (*p == '.') behind = true;
        if (*p < '0' || *p > '9') continue;
        significant |= *p != '0';
        digits += significant && !behind ? 1 : behind && !significant ? -1 : 0;
    }
    const bool negative = p + 1 < end && p[1] == '-';
    int64_t exponent = 0;
    for (; p < end; ++p)
        if (*p >= '0' && *p <= '9' && exponent < INT64_C(1) << 40)
            exponent = exponent * 10 + (*p - '0');
    return digits + (negative ? -exponent : exponent) < 0;
}

inline int parse_weight(const char*& p, const char* end, Weight& w) {
    const char* start = p;
    const bool negative = *p == '-';
    const char* q = p + (negative || *p == '+');
    uint64_t v = 0;
    const int status = parse_digits(q, v);
    if (status == kOk && *q != '.' && *q != 'e' && *q != 'E') {
        const uint64_t most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
        if (v > most + negative) return kOverflow;
        w.real = false;
        w.integer = negative ? static_cast<int64_t>(-v) : static_cast<int64_t>(v);
        w.number = static_cast<double>(w.integer);
        p = q;
        return kOk;
    }
    // from_chars knows no plus sign.
    if (*start == '+' && *++start == '-') return kBadWeight;
    const auto [after, error] = std::from_chars(start, end, w.number);
    if (error == std::errc::invalid_argument) return kBadWeight;
    if (status == kOverflow) {
        // Digits only, and too many of them: an integer, not a real number.
        const char* c = q;
        while (c < after && *c >= '0' && *c <= '9') ++c;
        if (c == after) return kOverflow;
    }
    if (error == std::errc::result_out_of_range) {
        if (!is_tiny(start, after)) return kBeyondReal;
        w.number = negative ? -0.0 : 0.0;
    }
    if (w.number != w.number) return kBadWeight;
    w.real = true;
    p = after;
    return kOk;
}

// Weights are integers until the first real one; those before it are then rewritten in place.
inline void store_weight(const Weight& w, int64_t* weights, int64_t at, bool& real) {
    if (w.real && !real) {
        for (int64_t i = 0; i < at; ++i)
            weights[i] = std::bit_cast<int64_t>(static_cast<double>(weights[i]));
        real = true;
    }
    weights[at] = real ? std::bit_cast<int64_t>(w.number) : w.integer;
}

}  // namespace spbfs::text
