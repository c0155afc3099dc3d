// The whole of many searches: chooses the direction of every level and drives the steps of
// bfs_many_push.h and bfs_many_pull.h.
#pragma once

#include <vector>

#include "cpu/bfs_many_narrow.h"
#include "cpu/bfs_many_pull.h"
#include "cpu/bfs_many_push.h"

namespace spbfs::many {

enum class Direction { kAuto, kPush, kPull };

struct Options {
    Direction direction = Direction::kAuto;
    bool early = true;   // a vertex that pulls stops at the last bit that it can get
    bool narrow = true;  // a search may be pushed while others pull
    bool queue = true;   // a small joint frontier is listed
    bool ranges = true;  // a push of long rows goes by ranges of vertices, which nobody shares
    int threads = 1;
};

// Where the searches stand between two calls.
struct Progress {
    std::int64_t level;     // of the frontier
    std::int64_t vertices;  // of the frontier
    std::int64_t edges;     // their out-edges
    std::int64_t joint;     // vertices of all joint frontiers so far
    std::int64_t open;      // in-edges of vertices that a search is still to reach
    std::int64_t listed;    // whether the frontier is listed too
    std::int64_t clean;     // whether the rows and the bitmap of `next` are zero
    std::int64_t swapped;   // whether `front` and `next`, and the lists, have changed places
    Word alive[16];         // the searches whose frontier is not empty
};

// What the steps cost, in nanoseconds of one core; only ratios matter.
constexpr double kPushEdge = 2.7;  // a neighbour's bits looked at, and perhaps written
constexpr double kPushRow = 10;    // a row of the graph fetched
constexpr double kPullEdge = 2.0;  // an in-neighbour's bits gathered
constexpr double kSettle = 4;      // a vertex looked at when everything was pushed
constexpr double kWordCost = 2.0;  // 64 vertices passed over
// A frontier of fewer vertices than this share is asked for by its bitmap before its rows are read.
constexpr std::int64_t kSparseShare = 8;
// A push of fewer edges than this is done by the calling thread alone.
constexpr std::int64_t kSerialEdges = 1 << 12;

template <int W, class Offset, class Index>
class Search {
  public:
    Search(State<W, Offset, Index>& state, const Options& options, Progress& progress)
        : s(state),
          options_(options),
          p(progress),
          team_(options.threads),
          found_(team_.workers()) {
        if (!options_.queue) p.listed = 0;
    }

    // Levels until the frontier is empty or at `last`.  The searches that found a vertex are
    // counted in `sizes`, a row of 64 W a level after the row of the frontier.
    void run(std::int64_t last, std::int64_t* sizes) {
        while (p.vertices > 0 && p.level < last && !s.interrupt->stopped()) {
            p.level += 1;
            // Bit b of a level is first set where the level is 2^b.
            const auto bits = static_cast<Word>(p.level);
            s.fresh = s.planed && std::has_single_bit(bits) ? std::countr_zero(bits) : -1;
            const bool pulling = pull_pays();
            if (pulling)
                pull(sizes);
            else
                push();
            if (s.interrupt->stopped()) return;
            sizes += W * kWordBits;
            collect(sizes, pulling);
            std::swap(s.front, s.next);
            std::swap(s.list, s.next_list);
            p.swapped ^= 1;
        }
        // The next searches find both frontiers zero.
        if (p.vertices == 0 && !p.clean) clean(s.next);
    }

  private:
    bool pull_pays() const {
        if (options_.direction != Direction::kAuto) return options_.direction == Direction::kPull;
        const double push =
            kPushEdge * static_cast<double>(p.edges) + kPushRow * static_cast<double>(p.vertices);
        const double pull = kPullEdge * static_cast<double>(p.open) +
                            kWordCost * static_cast<double>(words_for(s.n));
        return pull < push;
    }

    void pull(const std::int64_t* sizes) {
        const bool narrow =
            options_.direction == Direction::kAuto && options_.narrow && split(sizes);
        if (s.parents)
            pull_as<true, true>(narrow);
        else if (!options_.early)
            pull_as<false, false>(narrow);
        else
            pull_as<true, false>(narrow);
        p.listed = 0;
        p.clean = 0;
    }

    bool split(const std::int64_t* sizes) {
        // All vertices are looked at to find them: the pull itself may be less.
        if (p.open < s.n) return false;
        const std::int64_t listed = find_narrow(s, team_, sizes, p.vertices, p.open);
        if (listed == 0) return false;
        if (!p.clean) clean(s.next);
        push_narrow(s, team_, listed);
        return true;
    }

    template <bool Early, bool Parents>
    void pull_as(bool narrow) {
        const bool sparse = p.vertices < s.n / kSparseShare;
        if (sparse && narrow)
            pull_chunks<PullKind{true, true, Early, Parents}>();
        else if (sparse)
            pull_chunks<PullKind{true, false, Early, Parents}>();
        else if (narrow)
            pull_chunks<PullKind{false, true, Early, Parents}>();
        else
            pull_chunks<PullKind{false, false, Early, Parents}>();
    }

    template <PullKind Kind>
    void pull_chunks() {
        team_.for_chunks(words_for(s.n), kPullWords,
                         [&](std::int64_t begin, std::int64_t end, int worker) {
                             if (s.interrupt->poll(worker, kWordBits * kPullWords * kPollVertex))
                                 return;
                             pull_words<Kind>(s, begin, end, p.level, found_[worker]);
                         });
    }

    void push() {
        if (!p.clean) clean(s.next);
        const bool alone = team_.workers() == 1 || p.edges < kSerialEdges;
        // What is found is listed while it is surely little: a long list is slower than a bitmap.
        const bool listing = options_.queue && p.edges < s.n / kListShare;
        const bool ranged = options_.ranges && options_.queue && !alone && !listing &&
                            p.edges > kRangeDegree * kRanges * p.vertices;
        if (options_.queue && !p.listed && (ranged || p.vertices < s.n / kListShare))
            list_frontier();
        if (ranged) {
            push_ranges();
            return;
        }
        std::atomic<std::int64_t> tail{0};
        auto expand = [&]<bool Shared, bool Listing>(const Index* list, std::int64_t size) {
            Index held[kHeld];
            std::int64_t held_size = 0;
            auto flush = [&] {
                const std::int64_t at = tail.fetch_add(held_size, std::memory_order_relaxed);
                std::copy_n(held, held_size, s.next_list + at);
                held_size = 0;
            };
            push_list<Shared, Listing>(s, list, size, [&](std::int64_t v) {
                held[held_size++] = static_cast<Index>(v);
                if (held_size == kHeld) flush();
            });
            flush();
        };
        auto part = [&](const Index* list, std::int64_t size, int worker) {
            if (s.interrupt->poll(worker, size * kPollVertex)) return;
            if (alone && listing)
                expand.template operator()<false, true>(list, size);
            else if (alone)
                expand.template operator()<false, false>(list, size);
            else if (listing)
                expand.template operator()<true, true>(list, size);
            else
                expand.template operator()<true, false>(list, size);
        };
        if (p.listed) {
            each_chunk(p.vertices, kPushGrain, alone,
                       [&](std::int64_t i, std::int64_t end, int worker) {
                           part(s.list + i, end - i, worker);
                       });
        } else {
            each_chunk(words_for(s.n), kPushWords, alone,
                       [&](std::int64_t i, std::int64_t end, int worker) {
                           Index list[kPushWords * kWordBits];
                           std::int64_t size = 0;
                           for (; i < end; ++i)
                               for_each_bit(s.front.active[i], i * kWordBits, [&](std::int64_t v) {
                                   list[size++] = static_cast<Index>(v);
                               });
                           part(list, size, worker);
                       });
        }
        if (s.interrupt->stopped()) return;
        if (listing) {
            if (s.fresh >= 0 && tail.load() != 0) clear_fresh();
            each_chunk(tail.load(), kListGrain, alone,
                       [&](std::int64_t i, std::int64_t end, int worker) {
                           Found<W>& found = found_[worker];
                           found.vertices += end - i;
                           for (; i < end; ++i) {
                               const std::int64_t v = s.next_list[i];
                               found.edges += s.out.degree(v);
                               if (s.level_sums) add_level(s, v, p.level);
                               settle(s, v, 1, p.level);
                               found.columns.add(s.next.words + v * W);
                           }
                       });
        } else {
            each_chunk(words_for(s.n), kPullWords, alone,
                       [&](std::int64_t i, std::int64_t end, int worker) {
                           for (; i < end; ++i) settle_pushed(s, i, p.level, found_[worker]);
                       });
        }
        clear_front(listing);
    }

    // Rows are so long that it pays to look into each of them once a range of their entries.  The
    // ranges have equal shares of the work, if any in-edge is as likely as any other to be pushed.
    void push_ranges() {
        const auto entries = static_cast<double>(s.in.indptr[s.n]);
        const double edge = kPushEdge * static_cast<double>(p.edges) / entries;
        const double all = edge * entries + kSettle * static_cast<double>(s.entered);
        auto bound = [&](std::int64_t range) {
            if (range == kRanges) return words_for(s.n);
            const double share = all * static_cast<double>(range) / kRanges;
            std::int64_t low = 0, high = s.entered;
            while (low < high) {
                const std::int64_t v = (low + high) / 2;
                const auto before = static_cast<double>(s.in.indptr[v]);
                if (edge * before + kSettle * static_cast<double>(v) < share)
                    low = v + 1;
                else
                    high = v;
            }
            return low / kWordBits;
        };
        team_.for_chunks(kRanges, 1, [&](std::int64_t range, std::int64_t, int worker) {
            const std::int64_t begin = bound(range), end = bound(range + 1);
            if (s.interrupt->poll(worker, p.edges / kRanges)) return;
            push_range(s, s.list, p.vertices, begin * kWordBits, end * kWordBits);
            for (std::int64_t i = begin; i < end; ++i) settle_pushed(s, i, p.level, found_[worker]);
        });
        if (!s.interrupt->stopped()) clear_front(false);
    }

    // The frontier's rows are the next one's room.
    void clear_front(bool listing) {
        if (p.listed) {
            for (std::int64_t i = 0; i < p.vertices; ++i) {
                const std::int64_t u = s.list[i];
                for (int w = 0; w < W; ++w) s.front.words[u * W + w] = 0;
                s.front.active[u / kWordBits] = 0;
            }
        } else {
            clean(s.front);
        }
        p.listed = listing;
        p.clean = 1;
    }

    template <class F>
    void each_chunk(std::int64_t size, std::int64_t grain, bool alone, F&& f) {
        if (!alone) return team_.for_chunks(size, grain, f);
        for (std::int64_t i = 0; i < size; i += grain) f(i, std::min(i + grain, size), 0);
    }

    // Those found are so few that the others are not passed by.
    void clear_fresh() {
        team_.for_chunks(words_for(s.n), kPullWords, [&](std::int64_t i, std::int64_t end, int) {
            for (; i < end; ++i) settle_none(s, i);
        });
        s.fresh = -1;
    }

    void list_frontier() {
        Index* tail = s.list;
        for (std::int64_t w = 0; w < words_for(s.n); ++w)
            for_each_bit(s.front.active[w], w * kWordBits,
                         [&](std::int64_t v) { *tail++ = static_cast<Index>(v); });
        p.listed = 1;
    }

    void clean(const Rows& rows) {
        team_.for_chunks(words_for(s.n), kPullWords, [&](std::int64_t i, std::int64_t end, int) {
            for (; i < end; ++i) {
                clear_rows<W>(rows, i, rows.active[i]);
                rows.active[i] = 0;
            }
        });
    }

    void collect(std::int64_t* sizes, bool pulled) {
        p.vertices = p.edges = 0;
        if (pulled) p.open = 0;
        std::fill_n(p.alive, W, Word{0});
        for (Found<W>& f : found_) {
            p.vertices += f.vertices;
            p.edges += f.edges;
            if (pulled) p.open += f.open;
            f.columns.drain(sizes, p.alive);
            f.vertices = f.edges = f.open = 0;
        }
        p.joint += p.vertices;
    }

    static constexpr std::int64_t kHeld = 256, kListGrain = 256, kRanges = 8, kRangeDegree = 16,
                                  kPushWords = 4;
    static constexpr std::int64_t kListShare = 6;
    // Entries a vertex, roughly, for how often to look whether to stop.
    static constexpr std::int64_t kPollVertex = 16;

    State<W, Offset, Index>& s;
    const Options options_;
    Progress& p;
    Team team_;
    std::vector<Found<W>> found_;
};

}  // namespace spbfs::many
