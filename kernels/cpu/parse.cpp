// The numbers of text graph files, read at memory speed.
//
// Two grammars cover every text format: lines of fields of which two are vertex ids and one may be
// a weight (edge lists, CSV, Matrix Market, DIMACS), and METIS adjacency, where the line number is
// the vertex.  The files come from strangers, so nothing here trusts them: every character is
// looked at before it is used, every store is bounded by the capacity that came with the array, and
// the first thing that does not fit the grammar stops the parse with its line and its place.
//
// The text handed over always ends in a newline.  That newline is the sentinel: scans over digits
// and blanks stop there without testing for the end of the buffer.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace nb = nanobind;

namespace {

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
};

enum Role : char { kSkip = 0, kSource = 1, kTarget = 2, kWeight = 3 };

struct Outcome {
    int status = kOk;
    int64_t count = 0;      // entries stored
    int64_t lines = 0;      // lines begun; on error the line of the error, counted from 1
    bool real = false;      // weights are stored as the bits of doubles
    int64_t bad_begin = 0;  // where in the text the offending field is
    int64_t bad_end = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

const char* skip_blanks(const char* p) {
    while (is_blank(*p)) ++p;
    return p;
}

const char* line_end(const char* p, const char* end) {
    return static_cast<const char*>(std::memchr(p, '\n', static_cast<size_t>(end - p)));
}

// One integer without sign at p; advances p past its digits.  kOk, kNotInteger or kOverflow.
int parse_digits(const char*& p, uint64_t& value) {
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

int parse_id(const char*& p, int64_t& id) {
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

struct Weight {
    bool real;
    int64_t integer;
    double number;
};

int parse_weight(const char*& p, const char* end, Weight& w) {
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
    if (error != std::errc() || w.number != w.number) return kBadWeight;
    if (status == kOverflow) {
        // Digits only, and too many of them: an integer, not a real number.
        const char* c = q;
        while (c < after && *c >= '0' && *c <= '9') ++c;
        if (c == after) return kOverflow;
    }
    w.real = true;
    p = after;
    return kOk;
}

// Weights are integers until the first real one; those before it are then rewritten in place.
void store_weight(const Weight& w, int64_t* weights, int64_t at, bool& real) {
    if (w.real && !real) {
        for (int64_t i = 0; i < at; ++i)
            weights[i] = std::bit_cast<int64_t>(static_cast<double>(weights[i]));
        real = true;
    }
    weights[at] = real ? std::bit_cast<int64_t>(w.number) : w.integer;
}

struct Grammar {
    char delimiter;     // 0: runs of blanks
    char keyword;       // 0: none; else every data line starts with this one letter
    bool comment[256];  // first characters of lines to pass over
    const char* roles;  // one Role for each field of a line
    int width;          // fields in a line
    int64_t base;       // least id
    int64_t limit[2];   // greatest id of a source and of a target
};

struct Failure {
    int status;
    const char* at;
};

// The fields of one data line from p on.  On success `at` is the newline that ends it.
Failure parse_fields(const char* p, const char* end, const Grammar& g, int64_t id[2], Weight& w) {
    for (int field = 0;; ++field) {
        // A tab is a blank, except where it is the delimiter.
        while (is_blank(*p) && *p != g.delimiter) ++p;
        if (g.delimiter == 0 && *p == '\n') return {field == g.width ? kOk : kTooFewFields, p};
        if (field == g.width) return {kTooManyFields, p};
        const char* const start = p;
        const char role = g.roles[field];
        const bool quoted = *p == '"';
        if (quoted) ++p;
        if (role == kSkip) {
            const char stop = quoted ? '"' : g.delimiter;
            while (*p != '\n' && (stop ? *p != stop : !is_blank(*p))) ++p;
        } else if (role == kWeight) {
            if (int status = parse_weight(p, end, w); status != kOk) return {status, start};
        } else {
            int64_t value = 0;
            int status = parse_id(p, value);
            if (status == kOk && value < g.base) status = kBelowBase;
            if (status == kOk && value > g.limit[role == kTarget]) status = kBeyondLimit;
            if (status != kOk) return {status, start};
            id[role == kTarget] = value - g.base;
        }
        const int unclean = role == kWeight ? kBadWeight : kNotInteger;
        if (quoted && *p++ != '"') return {unclean, start};
        if (g.delimiter == 0) {
            if (!is_blank(*p) && *p != '\n') return {unclean, start};
            continue;
        }
        while (is_blank(*p) && *p != g.delimiter) ++p;
        if (*p == '\n') return {field + 1 == g.width ? kOk : kTooFewFields, p};
        if (*p++ != g.delimiter) return {unclean, start};
    }
}

void mark(Outcome& out, int status, const char* text, const char* at, const char* end) {
    const char* stop = at;
    while (stop < end && *stop != '\n' && !is_blank(*stop) && *stop != ',' && stop - at < 64)
        ++stop;
    out.status = status;
    out.bad_begin = at - text;
    out.bad_end = stop - text;
}

template <class Id>
Outcome parse_lines(const char* text, const char* end, const Grammar& g, Id* rows, Id* cols,
                    int64_t* weights, int64_t capacity) {
    Outcome out;
    for (const char* p = text; p < end; ++p) {
        ++out.lines;
        p = skip_blanks(p);
        if (*p == '\n') continue;
        if (g.comment[static_cast<unsigned char>(*p)]) {
            p = line_end(p, end);
            continue;
        }
        if (g.keyword) {
            if (*p != g.keyword || !is_blank(p[1])) {
                mark(out, kBadKeyword, text, p, end);
                return out;
            }
            ++p;
        }
        int64_t id[2] = {0, 0};
        Weight w{false, 0, 0.0};
        const Failure line = parse_fields(p, end, g, id, w);
        if (line.status != kOk) {
            mark(out, line.status, text, line.at, end);
            return out;
        }
        if (out.count == capacity) {
            mark(out, kFull, text, p, end);
            return out;
        }
        if (id[0] > std::numeric_limits<Id>::max() || id[1] > std::numeric_limits<Id>::max()) {
            mark(out, kWide, text, p, end);
            return out;
        }
        rows[out.count] = static_cast<Id>(id[0]);
        cols[out.count] = static_cast<Id>(id[1]);
        if (weights) store_weight(w, weights, out.count, out.real);
        ++out.count;
        p = line_end(line.at, end);
    }
    return out;
}

// METIS text may be cut anywhere between two tokens: what the next piece must know is in here.
struct Adjacency {
    int64_t row;         // vertex whose line is being read, from 0
    int64_t field;       // tokens of that line already read
    int64_t in_comment;  // the cut fell inside a comment
    int64_t pending;     // neighbour whose weight has not come yet, or -1
};

template <class Id>
Outcome parse_adjacency(const char* text, const char* end, int64_t nrows, int64_t leading,
                        bool weighted, Adjacency& s, Id* rows, Id* cols, int64_t* weights,
                        int64_t capacity) {
    Outcome out;
    out.lines = 1;
    for (const char* p = text; p < end;) {
        if (s.in_comment) {
            const char* stop = line_end(p, end);
            if (!stop) break;
            p = stop + 1;
            ++out.lines;
            s.in_comment = 0;
            continue;
        }
        if (is_blank(*p)) {
            ++p;
            continue;
        }
        const char* start = p;
        if (*p == '\n') {
            if (s.pending >= 0 || (s.field > 0 && s.field < leading)) {
                mark(out, kOddFields, text, start, end);
                return out;
            }
            // Blank lines after the last vertex are nobody's.
            s.row += s.row < nrows;
            s.field = 0;
            ++p;
            ++out.lines;
            continue;
        }
        if (*p == '%' && s.field == 0) {
            s.in_comment = 1;
            continue;
        }
        if (s.row >= nrows) {
            mark(out, kTooManyRows, text, start, end);
            return out;
        }
        int64_t value = 0;
        int status = parse_id(p, value);
        if (status == kOk && !is_blank(*p) && *p != '\n') status = kNotInteger;
        const bool is_weight = s.pending >= 0;
        if (status == kNotInteger && (is_weight || s.field < leading)) status = kNotIntegral;
        if (s.field >= leading && !is_weight && status == kOk) {
            if (value < 1) status = kBelowBase;
            if (value > nrows) status = kBeyondLimit;
        }
        if (status != kOk) {
            mark(out, status, text, start, end);
            return out;
        }
        if (s.field++ < leading) continue;
        if (weighted && !is_weight) {
            s.pending = value - 1;
            continue;
        }
        if (out.count == capacity) {
            mark(out, kFull, text, start, end);
            return out;
        }
        rows[out.count] = static_cast<Id>(s.row);
        cols[out.count] = static_cast<Id>(weighted ? s.pending : value - 1);
        if (weighted) weights[out.count] = value;
        s.pending = -1;
        ++out.count;
    }
    return out;
}

// ---- Python ----

using Bytes = nb::bytes;
template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::tuple to_python(const Outcome& o) {
    return nb::make_tuple(o.status, o.count, o.lines, o.real, o.bad_begin, o.bad_end);
}

template <class Id>
int64_t capacity_of(const Array<Id>& rows, const Array<Id>& cols, const Array<int64_t>* weights) {
    const size_t n = rows.shape(0);
    if (cols.shape(0) != n || (weights && weights->shape(0) != n))
        throw std::invalid_argument("rows, cols and weights differ in length");
    return static_cast<int64_t>(n);
}

template <class Id>
nb::tuple bind_lines(Bytes text, const std::string& roles, const std::string& delimiter,
                     const std::string& keyword, const std::string& comments, int64_t base,
                     int64_t source_limit, int64_t target_limit, Array<Id> rows, Array<Id> cols,
                     std::optional<Array<int64_t>> weights) {
    const char* begin = text.c_str();
    const char* end = begin + text.size();
    if (text.size() == 0 || end[-1] != '\n')
        throw std::invalid_argument("text must end in a newline");
    Grammar g{};
    g.delimiter = delimiter.empty() ? '\0' : delimiter[0];
    g.keyword = keyword.empty() ? '\0' : keyword[0];
    for (const char c : comments) g.comment[static_cast<unsigned char>(c)] = true;
    g.roles = roles.data();
    g.width = static_cast<int>(roles.size());
    g.base = base;
    g.limit[0] = source_limit;
    g.limit[1] = target_limit;
    Array<int64_t>* const w = weights ? &*weights : nullptr;
    const int64_t capacity = capacity_of(rows, cols, w);
    Outcome out;
    {
        nb::gil_scoped_release release;
        out = parse_lines<Id>(begin, end, g, rows.data(), cols.data(), w ? w->data() : nullptr,
                              capacity);
    }
    return to_python(out);
}

template <class Id>
nb::tuple bind_adjacency(Bytes text, int64_t nrows, int64_t leading, Array<int64_t> state,
                         Array<Id> rows, Array<Id> cols, std::optional<Array<int64_t>> weights) {
    const char* begin = text.c_str();
    const char* end = begin + text.size();
    if (text.size() == 0 || !(is_blank(end[-1]) || end[-1] == '\n'))
        throw std::invalid_argument("text must end in a blank or a newline");
    if (state.shape(0) != 4) throw std::invalid_argument("state must have four elements");
    if (nrows > std::numeric_limits<Id>::max()) throw std::invalid_argument("nrows too large");
    Array<int64_t>* const w = weights ? &*weights : nullptr;
    const int64_t capacity = capacity_of(rows, cols, w);
    int64_t* s = state.data();
    Adjacency a{s[0], s[1], s[2], s[3]};
    Outcome out;
    {
        nb::gil_scoped_release release;
        out = parse_adjacency<Id>(begin, end, nrows, leading, w != nullptr, a, rows.data(),
                                  cols.data(), w ? w->data() : nullptr, capacity);
    }
    s[0] = a.row, s[1] = a.field, s[2] = a.in_comment, s[3] = a.pending;
    return to_python(out);
}

}  // namespace

void bind_parse(nb::module_& m) {
    m.def("parse_lines", &bind_lines<int32_t>, nb::arg("text"), nb::arg("roles"),
          nb::arg("delimiter"), nb::arg("keyword"), nb::arg("comments"), nb::arg("base"),
          nb::arg("source_limit"), nb::arg("target_limit"), nb::arg("rows").noconvert(),
          nb::arg("cols").noconvert(), nb::arg("weights").noconvert().none());
    m.def("parse_lines", &bind_lines<int64_t>, nb::arg("text"), nb::arg("roles"),
          nb::arg("delimiter"), nb::arg("keyword"), nb::arg("comments"), nb::arg("base"),
          nb::arg("source_limit"), nb::arg("target_limit"), nb::arg("rows").noconvert(),
          nb::arg("cols").noconvert(), nb::arg("weights").noconvert().none());
    m.def("parse_adjacency", &bind_adjacency<int32_t>, nb::arg("text"), nb::arg("nrows"),
          nb::arg("leading"), nb::arg("state").noconvert(), nb::arg("rows").noconvert(),
          nb::arg("cols").noconvert(), nb::arg("weights").noconvert().none());
    m.def("parse_adjacency", &bind_adjacency<int64_t>, nb::arg("text"), nb::arg("nrows"),
          nb::arg("leading"), nb::arg("state").noconvert(), nb::arg("rows").noconvert(),
          nb::arg("cols").noconvert(), nb::arg("weights").noconvert().none());
}
