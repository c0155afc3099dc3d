// What the parsers of text graph files share: integers, marks of errors, the way back to Python.
//
// The files come from strangers, so nothing here trusts them: every character is tested before it
// is used, every store is bounded by the capacity that came with the array, and the first thing
// that does not fit the grammar stops the parse with its line and its place.
//
// The text handed over always ends in white space.  That character is the sentinel: scans over
// digits stop there without testing for the end of the buffer.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace spbfs::text {

namespace nb = nanobind;

enum Status : int {
    kOk = 0,
    kWide = 1,           // an id needs more than the index type: parse again with int64
    kNotInteger = 2,     // an id is not a plain integer
    kNegative = 3,       // an id below zero
    kBelowBase = 4,      // id 0 where ids start at 1
    kBeyondLimit = 5,    // an id beyond the vertex count that the file promised
    kOverflow = 6,       // an integer that does not fit 64 bits
    kBadWeight = 7,      // a weight that is not a number (NaN included)
    kTooFewFields = 8,   //
    kTooManyFields = 9,  //
    kBadKeyword = 10,    // a DIMACS line of another kind
    kTooManyRows = 11,   // METIS: text after the last vertex
    kFull = 12,          // more entries than the caller made room for
    kOddFields = 13,     // METIS: a line ends between a neighbour and its weight
    kNotIntegral = 14,   // METIS: weights are integers
    kBeyondReal = 15,    // a weight that no double holds
    kComment = 16,       // names: a comment, which the caller judges
    kUnfinished = 17,    // names: the text ends between quotes
    kBadQuote = 18,      // names: something follows a field between quotes
    kBareReturn = 19,    // names: a carriage return within a line, not between quotes
    kLongField = 20,     // names: more than kLongestField bytes
    kNoName = 21,        // names: a vertex without one
};

// What Python calls them.
inline constexpr const char* kStatusNames[] = {
    "ok",           "wide",          "not integer",  "negative",       "below base",
    "beyond limit", "overflow",      "not a weight", "too few fields", "too many fields",
    "bad keyword",  "too many rows", "full",         "number missing", "not integral",
    "beyond real",  "comment",       "unfinished",   "bad quote",      "bare return",
    "long field",   "no name"};

struct Outcome {
    int status = kOk;
    int64_t count = 0;      // entries stored
    int64_t lines = 0;      // lines begun; on error the line of the error, counted from 1
    bool real = false;      // weights are stored as the bits of doubles
    int64_t bad_begin = 0;  // where in the text the offending field is
    int64_t bad_end = 0;
};

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

inline const char* skip_blanks(const char* p) {
    while (is_blank(*p)) ++p;
    return p;
}

inline const char* line_end(const char* p, const char* end) {
    return static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
}

// One integer without sign at p; advances p past its digits.  kOk, kNotInteger or kOverflow.
inline int parse_digits(const char*& p, uint64_t& value) {
    const char* first = p;
    while (*p == '0') ++p;
    const char* significant = p;
    uint64_t v = 0;
    for (unsigned d; (d = static_cast<unsigned char>(*p) - '0') < 10; ++p) {
        // 19 digits always fit uint64; one more may not.
        if (p - significant == 19) return kOverflow;
        v = v * 10 + d;
    }
    if (p == first) return kNotInteger;
    value = v;
    return kOk;
}

inline int parse_id(const char*& p, int64_t& id) {
    uint64_t v = 0;
    if (*p == '-') {
        ++p;
        return parse_digits(p, v) == kOk && !(*p == '.' || *p == 'e') ? kNegative : kNotInteger;
    }
    if (*p == '+') ++p;
    if (int status = parse_digits(p, v); status != kOk) return status;
    if (v > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return kOverflow;
    id = static_cast<int64_t>(v);
    return kOk;
}

inline void mark(Outcome& out, int status, const char* text, const char* at, const char* end,
                 char delimiter = '\0') {
    const char* stop = at;
    const char parting = delimiter ? delimiter : ',';
    while (stop < end && *stop != '\n' && !is_blank(*stop) && *stop != parting && stop - at < 64)
        ++stop;
    out.status = status;
    out.bad_begin = at - text;
    out.bad_end = stop - text;
}

using Bytes = nb::bytes;
template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline nb::tuple to_python(const Outcome& o) {
    return nb::make_tuple(kStatusNames[o.status], o.count, o.lines, o.real, o.bad_begin, o.bad_end);
}

template <class Id>
int64_t capacity_of(const Array<Id>& rows, const Array<Id>& cols, const Array<int64_t>* weights) {
    const size_t n = rows.shape(0);
    if (cols.shape(0) != n || (weights && weights->shape(0) != n))
        throw std::invalid_argument("rows, cols and weights differ in length");
    return static_cast<int64_t>(n);
}

}  // namespace spbfs::text
