// The whole search: chooses the direction and form of every level and drives the steps of
// bfs_push.h, bfs_push_run.h and bfs_pull.h.
#pragma once

#include <chrono>
#include <vector>

#include "cpu/bfs/bfs_direction.h"
#include "cpu/bfs/bfs_frontier.h"
#include "cpu/bfs/bfs_pull.h"
#include "cpu/bfs/bfs_push.h"
#include "cpu/bfs/bfs_push_run.h"
#include "cpu/bfs/bfs_sample.h"
#include "cpu/python/direction.h"

namespace spbfs::bfs {

struct Options {
    Rates rates;
    std::int64_t max_depth;    // levels deeper than this are not visited
    std::int64_t target = -1;  // the search ends with the level that has this vertex
    Direction direction = Direction::kAuto;
    // The directions of the first levels, a byte each; `direction` is that of the levels behind.
    const std::uint8_t* schedule = nullptr;
    std::int64_t scheduled = 0;
    bool least_parent = false;
    int threads = 1;
};

// One line of a trace: a frontier, its out-edges, and what expanding it took.
struct LevelTrace {
    std::int64_t frontier, edges;
    bool pull;
    double seconds;
};

struct Summary {
    std::int64_t depth = 0;    // largest level
    std::int64_t reached = 0;  // vertices with a level
    std::int64_t edges = 0;    // out-edges of these
};

template <class Index>
struct Sources {
    const Index* vertices;
    std::int64_t size;
};

template <class Offset, class Index>
class Search {
  public:
    Search(State<Offset, Index>& state, const Word* no_in_edges, Sources<Index> sources,
           Index* owners, const Options& options, std::vector<LevelTrace>* trace)
        : s(state),
          no_in_edges_(no_in_edges),
          sources_(sources),
          owners_(owners),
          options_(options),
          trace_(trace),
          team_(options.threads),
          least_parents_(owners != nullptr || options.least_parent) {}

    Summary run() {
        begin();
        expand_levels();
        clear_unreached(s, no_in_edges_, team_);
        write_sources();
        return sum_;
    }

    // On from the frontier of `level` in the bitmap `front`, `visited` and outputs being those of
    // the levels so far, whose rows had `explored` edges.  It leaves the same of where it ends.
    Summary resume(std::int64_t level, std::int64_t explored) {
        Word* const front = s.front;
        level_ = first_level_ = static_cast<Index>(level);
        listed_ = false;
        frontier_ = bitmap_frontier(s, team_);
        measure();
        progress_.unexplored -= static_cast<double>(explored);
        // One that is visited although nobody has found it yet never will be: no edge enters it.
        target_ = options_.target;
        if (target_ >= 0 && test_bit(s.visited, target_)) target_ = -1;
        expand_levels();
        if (listed_) list_to_bitmap(s, frontier_.vertices);
        if (s.front != front) std::copy_n(s.front, words_for(s.n), front);
        return sum_;
    }

    // What `resume` has left for another.
    Frontier frontier() const { return frontier_; }

  private:
    void expand_levels() {
        while (frontier_.vertices > 0) {
            if (!push_short_levels()) break;
            sum_.reached += frontier_.vertices;
            sum_.edges += frontier_.edges;
            sum_.depth = level_;
            if (ended()) break;
            expand_frontier();
        }
    }

    // -- the first level ------------------------------------------------------------------------
    void begin() {
        std::copy_n(no_in_edges_, words_for(s.n), s.visited);
        measure();
        // A target that no edge enters is marked visited from the start, and found only if it is a
        // source.
        target_ = options_.target;
        if (target_ >= 0 && test_bit(s.visited, target_)) target_ = -1;
        write_sources();
        visit_sources();
    }

    // The sizes of graph and visited set, and what follows from them.
    void measure() {
        const double n = static_cast<double>(s.n), m = static_cast<double>(s.in.indptr[s.n]);
        progress_ = {n, m, 0, m};
        for (std::int64_t w = 0; w < words_for(s.n); ++w)
            progress_.unvisited += std::popcount(~s.visited[w]);
        longest_row_ = std::max<std::int64_t>(s.longest_row, 1);
        serial_edges_ = most_serial_edges(options_.rates, s.n, s.capacity, team_.workers());
    }

    void write_sources() {
        for (std::int64_t i = 0; i < sources_.size; ++i) {
            const Index v = sources_.vertices[i];
            if (s.levels) s.levels[v] = 0;
            if (s.parents) s.parents[v] = v;
            if (owners_) owners_[v] = static_cast<Index>(i);
        }
    }

    void visit_sources() {
        frontier_ = {sources_.size, 0};
        listed_ = sources_.size <= s.capacity;
        if (listed_)
            std::copy_n(sources_.vertices, sources_.size, s.list);
        else
            std::fill_n(s.front, words_for(s.n), Word{0});
        for (std::int64_t i = 0; i < sources_.size; ++i) {
            const Index v = sources_.vertices[i];
            if (v == options_.target) target_ = v;
            if (!test_bit(s.visited, v)) --progress_.unvisited;
            set_bit(s.visited, v);
            if (!listed_) set_bit(s.front, v);
            frontier_.edges += s.out.degree(v);
        }
    }

    // -- the end --------------------------------------------------------------------------------
    bool ended() const {
        return level_ == options_.max_depth || s.interrupt->stopped() ||
               (target_ >= 0 && test_bit(s.visited, target_)) || progress_.unvisited == 0;
    }

    // -- a level --------------------------------------------------------------------------------
    // As many levels as are surely best pushed by the calling thread.  False where nothing is left.
    bool push_short_levels() {
        const bool allowed = !least_parents_ && trace_ == nullptr &&
                             level_ - first_level_ >= options_.scheduled &&
                             options_.direction != Direction::kPull;
        if (!allowed || !listed_) return true;
        const std::int64_t longest =
            longest_sure_push(options_.rates, progress_, serial_edges_, longest_row_);
        const Run run =
            push_run(s, level_, frontier_.vertices, longest, options_.max_depth, target_);
        if (run.level == level_) return true;
        sum_.reached += run.reached;
        sum_.edges += run.edges;
        progress_.unexplored -= static_cast<double>(run.edges);
        progress_.unvisited -= static_cast<double>(run.reached - frontier_.vertices + run.vertices);
        level_ = static_cast<Index>(run.level);
        frontier_ = {run.vertices, list_edges(s, run.vertices)};
        if (frontier_.vertices > 0) return true;
        sum_.depth = level_ - 1;
        return false;
    }

    void expand_frontier() {
        const auto started =
            trace_ ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
        const bool pulling = pulls();
        const LevelTrace line{frontier_.vertices, frontier_.edges, pulling, 0.0};
        progress_.unexplored -= static_cast<double>(frontier_.edges);
        ++level_;
        if (pulling)
            pull_level();
        else
            push_level();
        progress_.unvisited -= static_cast<double>(frontier_.vertices);
        // A pull has found the least parents already; least owners are found by them alone.
        if (least_parents_ && !(pulling && !owners_))
            set_least_parents(s, level_, owners_, listed_ ? frontier_.vertices : -1, team_);
        if (!trace_) return;
        trace_->push_back(line);
        trace_->back().seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    }

    bool uses_hubs() const { return s.hub != nullptr && !least_parents_; }

    bool pulls() {
        marked_ = !listed_;
        const std::int64_t step = level_ - first_level_;
        const Direction direction = step < options_.scheduled
                                        ? static_cast<Direction>(options_.schedule[step])
                                        : options_.direction;
        if (direction != Direction::kAuto) return direction == Direction::kPull;
        const Rates& rates = options_.rates;
        const Bounds bounds = bounds_of(rates, progress_, frontier_);
        if (bounds.most_push <= bounds.least_pull) return false;
        if (bounds.most_pull < bounds.least_push) return true;
        mark_frontier();
        const Looks looks = ask_some(s, progress_, frontier_, uses_hubs(), vertices_to_ask(bounds));
        return pull_cost(rates, progress_, looks) <
               push_cost(rates, frontier_, looks.at_hub + looks.found);
    }

    // Whatever else it is, the frontier is in the bitmap then.
    void mark_frontier() {
        if (!marked_) list_to_bitmap(s, frontier_.vertices);
        marked_ = true;
    }

    void pull_level() {
        mark_frontier();
        listed_ = false;
        frontier_ = pull(s, level_, team_, uses_hubs());
    }

    // To a bitmap what has too many edges for one thread or for a list, and else to a list.
    void push_level() {
        if (frontier_.edges > serial_edges_ || (!listed_ && frontier_.vertices > s.capacity)) {
            const std::int64_t listed = listed_ ? frontier_.vertices : -1;
            frontier_ = push_bitmap(s, level_, listed, frontier_.edges, team_);
            listed_ = false;
            return;
        }
        if (!listed_) bitmap_to_list(s);
        listed_ = true;
        frontier_ = push_list(s, level_, frontier_.vertices);
        frontier_.edges = list_edges(s, frontier_.vertices);
    }

    State<Offset, Index>& s;
    const Word* no_in_edges_;
    const Sources<Index> sources_;
    Index* owners_;
    const Options& options_;
    std::vector<LevelTrace>* trace_;
    Team team_;
    const bool least_parents_;  // parents, or owners, are the least, not those found first
    std::int64_t target_ = -1;
    std::int64_t longest_row_ = 1, serial_edges_ = 0;
    Index first_level_ = 0, level_ = 0;
    Frontier frontier_;  // of `level_`: a list where `listed_`, else the bitmap `front`
    bool listed_ = true;
    bool marked_ = false;  // the bitmap has it, beside the list or alone
    Progress progress_{};
    Summary sum_;
};

}  // namespace spbfs::bfs
