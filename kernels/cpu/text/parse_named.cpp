// CSV whose vertices are names: fields between quotes or not, as Python's csv module has them when
// it is strict, two quotes for one within a field, and every name numbered when it is first met.
#include <string_view>

#include "cpu/python/interpreter.h"
#include "cpu/text/names.h"
#include "cpu/text/text.h"
#include "cpu/text/weights.h"
#include "cpu/threads/interrupt.h"

namespace {

using namespace spbfs::text;

constexpr size_t kLongestField = 1 << 17;

// How far the reading of a text is, between two calls.
struct Place {
    int64_t at;     // bytes passed
    int64_t lines;  // that end there
    int64_t count;  // entries
    int64_t real;   // whether weights are stored as the bits of doubles
};

// What Python's str.strip takes away, as far as it is ASCII.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }

std::string_view stripped(std::string_view field) {
    while (!field.empty() && is_space(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_space(field.back())) field.remove_suffix(1);
    return field;
}

// The field that starts at p, which is then where its delimiter or the newline is.  What is between
// quotes is taken from `inner` where it is not in the text as it stands.
int take_field(const char*& p, const char* end, char delimiter, std::string& inner,
               std::string_view& field, int64_t& line) {
    const char* from = p;
    const bool quoted = *p == '"';
    if (quoted) {
        inner.clear();
        bool changed = false;
        const char* const opened = from = ++p;
        for (; p < end; ++p) {
            if (*p == '\n') {
                ++line;
                const char* stop = p;
                while (stop > from && stop[-1] == '\r') --stop;
                if (stop == p) continue;
                // A line ends in a newline alone, whatever the file has there.
                inner.append(from, stop);
                from = p;
                changed = true;
            } else if (*p == '"') {
                if (p[1] != '"') break;
                inner.append(from, ++p);
                from = p + 1;
                changed = true;
            }
        }
        // `""` and CRLF are one byte of two.  Open quotes end here, not with the file: each piece
        // of it would have all before read once more.
        if (static_cast<size_t>(p - opened) > 2 * kLongestField) return kLongField;
        if (p == end) return kUnfinished;
        field = std::string_view(from, static_cast<size_t>(p - from));
        if (changed) field = inner.append(field);
        if (field.size() > kLongestField) return kLongField;
        from = ++p;
    }
    while (*p != delimiter && *p != '\n' && *p != '\r') ++p;
    const char* const stop = p;
    while (*p == '\r') ++p;
    if (stop != p && *p != '\n') return kBareReturn;
    if (quoted) return stop == from ? kOk : kBadQuote;
    field = std::string_view(from, static_cast<size_t>(stop - from));
    return field.size() > kLongestField ? kLongField : kOk;
}

// The entries from `place` on, up to what only the caller can tell: a comment, after which it calls
// again, or a record whose end is not in the text.
Outcome parse_named(const char* text, const char* end, const std::string& roles, char delimiter,
                    Names& names, int64_t first_line, Place& place, int64_t* rows, int64_t* cols,
                    int64_t* weights, int64_t capacity, spbfs::Interrupt& interrupt) {
    Outcome out;
    bool real = place.real != 0;
    std::string inner;
    const char* p = text + place.at;
    for (; p < end; ++p) {
        const char* const start = p;
        while (is_blank(*p) || *p == '\v' || *p == '\f') ++p;
        if (*p == '\n') {
            ++place.lines;
            place.at = p + 1 - text;
            continue;
        }
        if (*p == '#' || *p == '%') {
            const char* const stop = line_end(p, end);
            out.status = kComment;
            out.bad_begin = start - text;
            out.bad_end = stop - text;
            ++place.lines;
            place.at = stop + 1 - text;
            return out;
        }
        p = start;
        int64_t line = first_line + place.lines, id[2] = {0, 0};
        Weight w{false, 0, 0.0};
        size_t width = 0;
        for (;; ++p) {
            const char* const at = p;
            std::string_view field;
            const int64_t begun = line;
            int status = width == roles.size() ? kTooManyFields
                                               : take_field(p, end, delimiter, inner, field, line);
            const char role = status == kOk ? roles[width] : static_cast<char>(kSkip);
            if (role == kWeight) {
                field = stripped(field);
                const char* q = field.data();
                const char* const stop = q + field.size();
                status = q == stop ? kBadWeight : parse_weight(q, stop, w);
                if (status == kOk && q != stop) status = kBadWeight;
            } else if (role != kSkip) {
                field = stripped(field);
                if (field.empty())
                    status = kNoName;
                else
                    id[role == kTarget] = names.number(field, begun);
            }
            if (status == kUnfinished) {
                out.status = status;
                return out;
            }
            if (status != kOk) {
                mark(out, status, text, at, end, delimiter);
                out.lines = begun;
                return out;
            }
            ++width;
            if (*p == '\n') break;
        }
        if (width < roles.size()) {
            mark(out, kTooFewFields, text, p, end);
            out.lines = line;
            return out;
        }
        if (place.count == capacity) {
            mark(out, kFull, text, start, end);
            return out;
        }
        rows[place.count] = id[0];
        cols[place.count] = id[1];
        if (weights) store_weight(w, weights, place.count, real);
        place.real = real;
        ++place.count;
        if (interrupt.poll(0, p - start)) return out;
        place.lines = line + 1 - first_line;
        place.at = p + 1 - text;
    }
    return out;
}

nb::tuple bind_named(Bytes text, const std::string& roles, const std::string& delimiter,
                     Names& names, int64_t first_line, Array<int64_t> state, Array<int64_t> rows,
                     Array<int64_t> cols, std::optional<Array<int64_t>> weights) {
    const char* begin = text.c_str();
    const char* end = begin + text.size();
    if (text.size() == 0 || end[-1] != '\n')
        throw std::invalid_argument("text must end in a newline");
    if (delimiter.empty() || roles.empty())
        throw std::invalid_argument("delimiter and roles must not be empty");
    if (state.shape(0) != 4) throw std::invalid_argument("state must have four elements");
    Array<int64_t>* const w = weights ? &*weights : nullptr;
    const int64_t capacity = capacity_of(rows, cols, w);
    int64_t* s = state.data();
    Place place{s[0], s[1], s[2], s[3]};
    if (place.at < 0 || place.at > end - begin || place.count < 0 || place.count > capacity)
        throw std::invalid_argument("state is of another text");
    Outcome out;
    spbfs::Interrupt interrupt;
    {
        spbfs::Unlocked unlocked;
        out = parse_named(begin, end, roles, delimiter[0], names, first_line, place, rows.data(),
                          cols.data(), w ? w->data() : nullptr, capacity, interrupt);
    }
    interrupt.check();
    s[0] = place.at, s[1] = place.lines, s[2] = place.count, s[3] = place.real;
    return to_python(out);
}

nb::list listed(const Names& names) {
    nb::list made;
    for (int64_t i = 0; i < names.size(); ++i) {
        const std::string_view name = names.name(i);
        made.append(nb::bytes(name.data(), name.size()));
    }
    return made;
}

}  // namespace

void bind_parse_named(nb::module_& m) {
    nb::class_<Names>(m, "Names")
        .def(nb::init<>())
        .def_prop_ro("nbytes", &Names::bytes)
        .def("line", &Names::line, nb::arg("number"))
        .def("listed", &listed);
    m.attr("LONGEST_FIELD") = kLongestField;
    m.def("parse_named", &bind_named, nb::arg("text"), nb::arg("roles"), nb::arg("delimiter"),
          nb::arg("names"), nb::arg("first_line"), nb::arg("state").noconvert(),
          nb::arg("rows").noconvert(), nb::arg("cols").noconvert(),
          nb::arg("weights").noconvert().none());
}
