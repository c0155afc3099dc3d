// Lines of fields of which two are vertex ids and one may be a weight, read at memory speed: edge
// lists, CSV, Matrix Market and DIMACS are all spoken by one grammar with a few switches.
#include "cpu/python/interpreter.h"
#include "cpu/text/text.h"
#include "cpu/text/weights.h"

namespace {

using namespace spbfs::text;

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
            mark(out, line.status, text, line.at, end, g.delimiter);
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
        spbfs::Unlocked unlocked;
        out = parse_lines<Id>(begin, end, g, rows.data(), cols.data(), w ? w->data() : nullptr,
                              capacity);
    }
    return to_python(out);
}

}  // namespace

void bind_parse(nb::module_& m) {
    const auto bind = [&m](auto function) {
        m.def("parse_lines", function, nb::arg("text"), nb::arg("roles"), nb::arg("delimiter"),
              nb::arg("keyword"), nb::arg("comments"), nb::arg("base"), nb::arg("source_limit"),
              nb::arg("target_limit"), nb::arg("rows").noconvert(), nb::arg("cols").noconvert(),
              nb::arg("weights").noconvert().none());
    };
    bind(&bind_lines<int32_t>);
    bind(&bind_lines<int64_t>);
}
