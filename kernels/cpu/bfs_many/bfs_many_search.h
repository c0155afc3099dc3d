// The whole of many searches: chooses the direction of every level and drives the steps of
// bfs_many_push_level.h, bfs_many_pull.h and bfs_many_narrow.h.
#pragma once

#include <vector>

#include "cpu/bfs_many/bfs_many_level.h"
#include "cpu/bfs_many/bfs_many_narrow.h"
#include "cpu/bfs_many/bfs_many_pull.h"
#include "cpu/bfs_many/bfs_many_push_level.h"
#include "cpu/python/direction.h"

namespace spbfs::many {

struct Options {
    Rates rates;
    Techniques techniques;
    Direction direction = Direction::kAuto;
    int threads = 1;
};

template <int W, class Offset, class Index>
class Search {
  public:
    Search(State<W, Offset, Index>& state, const Options& options, Progress& progress)
        : s(state),
          p(progress),
          options_(options),
          team_(options.threads),
          found_(team_.workers()),
          level_{s, p, team_, found_, options.rates, options.techniques} {
        if (!options.techniques.queue) p.listed = false;
    }

    // Levels until the frontier is empty or at `last`.  The searches that found a vertex are
    // counted in `sizes`, a row of 64 W a level after the row of the frontier.
    void run(std::int64_t last, std::int64_t* sizes) {
        while (p.vertices > 0 && p.level < last && !s.interrupt->stopped()) {
            p.level += 1;
            // Bit b of a level is first set where the level is 2^b.
            const auto bits = static_cast<Word>(p.level);
            s.fresh = s.planed && std::has_single_bit(bits) ? std::countr_zero(bits) : -1;
            const bool pulling = pulls();
            if (pulling)
                pull(sizes);
            else
                push();
            if (s.interrupt->stopped()) return;
            sizes += W * kWordBits;
            collect(sizes, pulling);
            std::swap(s.front, s.next);
            std::swap(s.list, s.next_list);
            p.swapped = !p.swapped;
        }
        // The next searches find both frontiers zero.
        if (p.vertices == 0 && !p.clean) level_.clean(s.next);
    }

  private:
    bool pulls() const {
        if (options_.direction != Direction::kAuto) return options_.direction == Direction::kPull;
        return pull_pays(options_.rates, p, s.n);
    }

    void push() {
        const PushPolicy policy =
            push_policy(options_.rates, options_.techniques, p, s.n, team_.workers());
        PushLevel<W, Offset, Index>(level_, policy).run();
    }

    void pull(const std::int64_t* sizes) {
        const bool narrow = push_narrow_searches(sizes);
        if (s.parents)
            pull_as<true, true>(narrow);
        else if (!options_.techniques.early)
            pull_as<false, false>(narrow);
        else
            pull_as<true, false>(narrow);
        p.listed = false;
        p.clean = false;
    }

    // Those searches that are better pushed while the others pull; whether there are any.
    bool push_narrow_searches(const std::int64_t* sizes) {
        if (options_.direction != Direction::kAuto || !options_.techniques.narrow) return false;
        // All vertices are passed to find them: the pull itself may be less.
        if (p.open < s.n) return false;
        const std::int64_t listed =
            find_narrow(s, team_, options_.rates, sizes, p.vertices, p.open);
        if (listed == 0) return false;
        if (!p.clean) level_.clean(s.next);
        push_narrow(s, team_, listed);
        return true;
    }

    template <bool Early, bool Parents>
    void pull_as(bool narrow) {
        const bool sparse = is_sparse(options_.rates, p, s.n);
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

    // What workers found becomes the frontier's counts.
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

    State<W, Offset, Index>& s;
    Progress& p;
    const Options& options_;
    Team team_;
    std::vector<Found<W>> found_;
    const Level<W, Offset, Index> level_;
};

}  // namespace spbfs::many
