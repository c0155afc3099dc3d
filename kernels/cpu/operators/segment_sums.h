// Sums of segments: of a block of values that lie side by side, consecutive ones belong together.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cpu/operators/program.h"

namespace spbfs {

// Segment s ends before value ends[s], the first begins with value 0, none is empty, and they are
// at most kBlock values in all.  The first one goes on from the sum `begun`, unless that is
// nullptr.
using SegmentFunction = void (*)(const void* values, const std::int32_t* ends,
                                 std::int64_t segments, const void* begun, void* sums);

// Over the built-in monoid `name`, from the left; nullptr where there is none of that type.
SegmentFunction segment_function(std::string_view name, Type type);

// Sums of x[t] times y[t] over two built-in operators, in one loop; nullptr where none is compiled.
using ProductFunction = void (*)(const void* x, const void* y, const std::int32_t* ends,
                                 std::int64_t segments, const void* begun, void* sums);
ProductFunction product_function(std::string_view monoid, std::string_view multiply, Type in,
                                 Type out);

// Over a built-in monoid, or where `function` is nullptr one that is a program.
class SegmentSums {
  public:
    SegmentSums(SegmentFunction function, const Program* add) : function_(function) {
        if (function != nullptr || add == nullptr) return;
        add_ = std::make_unique<Evaluator>(*add);
        size_ = add->out_size();
    }

    // The values may be used up.
    void operator()(void* values, const std::int32_t* ends, std::int64_t segments,
                    const void* begun, void* sums);

  private:
    // Values of a segment, the same number apart, whose first becomes their sum.
    struct Span {
        std::int64_t begin, count;
    };

    template <class T>
    void by_pieces(T* values, const std::int32_t* ends, std::int64_t segments, const T* begun,
                   T* sums);
    template <class T>
    void fold(T* values, std::int64_t step);

    SegmentFunction function_ = nullptr;
    std::unique_ptr<Evaluator> add_;
    int size_ = 0;
    std::vector<Span> open_;
};

}  // namespace spbfs
