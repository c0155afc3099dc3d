// METIS adjacency, where the line number is the vertex and a line may be as long as the file.
#include "cpu/python/interpreter.h"
#include "cpu/text/text.h"

namespace {

using namespace spbfs::text;

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
        spbfs::Unlocked unlocked;
        out = parse_adjacency<Id>(begin, end, nrows, leading, w != nullptr, a, rows.data(),
                                  cols.data(), w ? w->data() : nullptr, capacity);
    }
    s[0] = a.row, s[1] = a.field, s[2] = a.in_comment, s[3] = a.pending;
    return to_python(out);
}

}  // namespace

void bind_parse_adjacency(nb::module_& m) {
    const auto bind = [&m](auto function) {
        m.def("parse_adjacency", function, nb::arg("text"), nb::arg("nrows"), nb::arg("leading"),
              nb::arg("state").noconvert(), nb::arg("rows").noconvert(),
              nb::arg("cols").noconvert(), nb::arg("weights").noconvert().none());
    };
    bind(&bind_adjacency<int32_t>);
    bind(&bind_adjacency<int64_t>);
}
