// w = A u over operators that are programs: the products of several rows are made at once, and
// summed piece by piece, all pieces at once.
#include "bindings.h"
#include "interrupt.h"
#include "pairs.h"
#include "parallel.h"

namespace spbfs {
namespace {

// Products that are summed one after the other: a long row has many such pieces.
constexpr std::int64_t kPiece = 16;

// Consecutive values, of which the first becomes the sum.
struct Span {
    std::int64_t begin, count;
};

// Sums of spans of consecutive values, in their order; V is as large as a sum.
template <class V>
class Sums {
  public:
    explicit Sums(const Program& add) : add_(add) {}

    // Spans are at most kBlock values in all.
    void operator()(V* values, const std::vector<Span>& spans) {
        // Of every piece first, so that long rows have something to do at once, too.
        pieces_.clear();
        for (const Span& span : spans)
            for (std::int64_t at = 0; at < span.count; at += kPiece)
                pieces_.push_back({span.begin + at, std::min(kPiece, span.count - at)});
        fold(values, pieces_, 1);
        pieces_.clear();
        for (const Span& span : spans)
            if (span.count > kPiece)
                pieces_.push_back({span.begin, (span.count + kPiece - 1) / kPiece});
        fold(values, pieces_, kPiece);
    }

  private:
    // Every span's values, `step` apart, into its first; the list is used up.
    void fold(V* values, std::vector<Span>& open, std::int64_t step) {
        for (std::int64_t nth = 1; !open.empty(); ++nth) {
            std::size_t left = 0;
            for (const Span& span : open)
                if (span.count > nth) open[left++] = span;
            open.resize(left);
            for (std::size_t t = 0; t < left; ++t) {
                x_[t] = values[open[t].begin];
                y_[t] = values[open[t].begin + nth * step];
            }
            if (left > 0) add_(x_, y_, sum_, static_cast<std::int64_t>(left));
            for (std::size_t t = 0; t < left; ++t) values[open[t].begin] = sum_[t];
        }
    }

    Evaluator add_;
    std::vector<Span> pieces_;
    V x_[kBlock], y_[kBlock], sum_[kBlock];
};

// What one worker makes of consecutive rows.
template <class V>
class Rows {
  public:
    Rows(const Program& multiply, const Program* add, const Operands& matrix_and_vector,
         bool vector_first, V* w, std::uint8_t* present)
        : multiply_(multiply),
          o_(matrix_and_vector),
          size_(multiply.in_size()),
          vector_first_(vector_first),
          w_(w),
          present_(present) {
        if (add != nullptr) sums_ = std::make_unique<Sums<V>>(*add);
    }

    template <class I>
    void row(std::int64_t i, const I* indices, std::int64_t begin, std::int64_t end,
             const std::uint8_t* stored) {
        for (std::int64_t p = begin; p < end; ++p) {
            const std::int64_t k = indices[p];
            if (stored != nullptr && !stored[k]) continue;
            if (spans_.empty() || row_.back() != i) {
                spans_.push_back({count_, 0});
                row_.push_back(i);
            }
            p_[count_] = p;
            k_[count_] = k;
            ++spans_.back().count;
            if (++count_ == kBlock) flush();
            // The first product is the sum.
            if (!sums_) return;
        }
    }

    void flush() {
        gather(o_.x, o_.x_stride, p_, count_, a_, size_);
        gather(o_.y, o_.y_stride, k_, count_, u_, size_);
        if (vector_first_)
            multiply_(u_, a_, product_, count_);
        else
            multiply_(a_, u_, product_, count_);
        if (sums_) (*sums_)(product_, spans_);
        for (std::size_t t = 0; t < spans_.size(); ++t) {
            const std::int64_t i = row_[t];
            V& first = product_[spans_[t].begin];
            if (present_[i]) {
                // The row began in an earlier block.
                V both[2] = {w_[i], first};
                const std::vector<Span> one{{0, 2}};
                (*sums_)(both, one);
                first = both[0];
            }
            w_[i] = first;
            present_[i] = 1;
        }
        spans_.clear();
        row_.clear();
        count_ = 0;
    }

  private:
    Evaluator multiply_;
    std::unique_ptr<Sums<V>> sums_;
    Operands o_;
    int size_;
    bool vector_first_;
    V* w_;
    std::uint8_t* present_;
    std::vector<Span> spans_;
    std::vector<std::int64_t> row_;
    std::int64_t count_ = 0, p_[kBlock], k_[kBlock];
    std::uint64_t a_[kBlock], u_[kBlock];
    V product_[kBlock];
};

// `present` comes cleared.
void pull_program(Input indptr, Input indices, Input values, Input u, Maybe<Input> stored,
                  const Program& multiply, const Program* add, bool vector_first, Output w,
                  Output present, int threads) {
    const int size = multiply.out_size();
    if (static_cast<int>(values.itemsize()) != multiply.in_size() ||
        static_cast<int>(u.itemsize()) != multiply.in_size() ||
        (add != nullptr && (add->in_size() != size || add->out_size() != size)))
        throw std::invalid_argument("kernel: a product of programs that do not fit");
    const Operands o{values.data(), stride(values), u.data(), stride(u)};
    Interrupt interrupt;
    with_size(size, [&]<class V>(V) {
        with_csr(indptr, indices, [&](const auto& A) {
            V* out = writable<V>(w, A.rows);
            auto* flags = writable<std::uint8_t>(present, A.rows);
            const auto* held = stored ? data<std::uint8_t>(*stored, 0) : nullptr;
            const std::int64_t grain = std::max<std::int64_t>(64, A.rows / (threads * 16));
            Unlocked unlocked;
            parallel_for(
                threads, A.rows, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
                    const auto rows =
                        std::make_unique<Rows<V>>(multiply, add, o, vector_first, out, flags);
                    for (std::int64_t i = begin; i < end; ++i) {
                        if (interrupt.poll(worker, A.indptr[i + 1] - A.indptr[i])) return;
                        rows->row(i, A.indices, A.indptr[i], A.indptr[i + 1], held);
                    }
                    rows->flush();
                });
        });
    });
    interrupt.check();
}

}  // namespace
}  // namespace spbfs

void bind_pull_program(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("pull_program", &spbfs::pull_program, "indptr"_a, "indices"_a, "values"_a, "u"_a,
          "stored"_a.none(), "multiply"_a, "add"_a.none(), "vector_first"_a, "w"_a, "present"_a,
          "threads"_a);
}
