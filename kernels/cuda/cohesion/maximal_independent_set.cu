// maximal_independent_set(): the vertices that a greedy algorithm chooses that takes them in an
// order and chooses those of which it has chosen no neighbour.
//
// A byte a vertex says whether it is chosen, out, or undecided; those of the last kind hold the
// first bits of its place in the order, so that most neighbours are compared by what is looked at
// anyway.  A vertex goes along its row as far as the first neighbour that is undecided and earlier,
// and later on from there: what it has passed is out, or later.  Who comes to the end is chosen,
// and puts its neighbours out, which look no more.
//
// A lane begins its row alone, since many vertices soon meet somebody to wait for; the rest of
// other rows is taken by teams of lanes, side by side, with several entries a lane on their way at
// once: a row after the other by the whole warp is what took nearly all of the time.  Every warp
// keeps a list of those of its vertices that wait.  At first these are all whose rows a lane does
// not take at once, if these are many then those that are more than it takes alone, then those
// longer than a mean one: where places are drawn they come late in the order, and many have been
// put out before they are looked at.
//
// The caller guarantees a square CSR with a symmetric pattern and indices in range, loops allowed.
// Burtscher and others (2018), see in_order.cuh; theirs rounds priorities to a byte, ours compares
// places where bytes are equal, so that the order is the one that is promised.
#include "cuda/cohesion/independent_choice.cuh"
#include "cuda/grid/grid_barrier.cuh"

using namespace spbfs;

using u64 = unsigned long long;

// How a vertex's number is drawn: see FewNeighboursFirst in engines/greedy.py, whose rounds are
// undone.  Without `bits` places are given.
struct Drawn {
    unsigned addends[3], inverses[3];
    int bits;

    __device__ int place_of(unsigned x) const {
        const unsigned below = (1u << bits) - 1;
        for (int i = 2; i >= 0; --i) {
            x ^= x >> (bits / 2 + 1);
            x = (x * inverses[i] - addends[i]) & below;
        }
        return static_cast<int>(x);
    }
};
// DRAWN of cuda/algorithms/maximal_independent_set.py.
SHARED_STRUCT(Drawn, 28, FIELD(addends, 0) FIELD(inverses, 12) FIELD(bits, 24));

// Everybody's place, given or drawn: to draw it again takes less time than to keep it.
struct Places {
    const Drawn& drawn;
    const int* given;

    __device__ int operator()(int v) const {
        return drawn.bits == 0 ? given[v] : drawn.place_of(static_cast<unsigned>(v));
    }
    __device__ bool rise(int u, int v) const { return (*this)(u) < (*this)(v); }
};

// The first bits of a place: more of them where rows have fewer entries than 128, as most have.
__device__ unsigned status_of(int entries, int place, int bits) {
    constexpr int kShort = 8, kOfShort = 16, kOfLong = 5;
    static_assert(kFirst + kShort * kOfShort + (32 - kShort) * kOfLong <= 256);
    const int width = 32 - __clz(entries);
    const int begin =
        width < kShort ? kOfShort * width : kOfShort * kShort + kOfLong * (width - kShort);
    const u64 levels = width < kShort ? kOfShort : kOfLong;
    return kFirst + begin + static_cast<unsigned>(static_cast<u64>(place) * levels >> bits);
}

// CTAs that share a multiprocessor: as many as spill no registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ <= 750
template <typename Offset>
constexpr int resident = 4;
#else
template <typename Offset>
constexpr int resident = sizeof(Offset) == 8 || kSpillsEarly ? 4 : 5;
#endif

// `status` ends as kOut or kChosen; `given` is n long, and of no use where places are drawn;
// `waiting` is n rounded up to 32; 0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, resident<Offset>)
    maximal_independent_set(const Drawn drawn, const Offset* __restrict__ indptr,
                            const int* __restrict__ indices, int n, const int* __restrict__ given,
                            unsigned char* status, Waiting* waiting, u32* barrier) {
    const Places places{drawn, given};
    // No number is past 2^32: there are as many threads as are resident.
    const unsigned threads = gridDim.x * kThreads, end = n;
    for (unsigned first = thread_of(); first < end; first += kTogether * threads) {
        int entries[kTogether];
#pragma unroll
        for (int k = 0; k < kTogether; ++k) {
            const unsigned v = first + k * threads;
            const bool counts = drawn.bits != 0 && v < end;
            entries[k] = counts ? static_cast<int>(indptr[v + 1] - indptr[v]) : 0;
        }
#pragma unroll
        for (int k = 0; k < kTogether; ++k) {
            const unsigned v = first + k * threads;
            if (v >= end) continue;
            const int place = places(static_cast<int>(v));
            const u64 scaled = static_cast<u64>(place) * (256 - kFirst);
            status[v] = static_cast<unsigned char>(
                drawn.bits != 0 ? status_of(entries[k], place, drawn.bits) : kFirst + scaled / end);
        }
    }
    grid_barrier(barrier);

    const Choice<Offset, Places> choice{indptr, indices, places, status};
    const unsigned warps = threads / kWarp, warp = static_cast<unsigned>(thread_of()) / kWarp;
    const unsigned chunks = (end + kWarp - 1) / kWarp;
    const int lane = lane_of();
    // A warp's i-th vertex at first, and the place of the i-th that waits.
    const auto slot = [&](unsigned i) { return (i / kWarp * warps + warp) * kWarp + i % kWarp; };
    int count = warp < chunks ? static_cast<int>((chunks - 1 - warp) / warps + 1) * kWarp : 0;
    const int usual = max(kAlone, static_cast<int>(indptr[n] / n));
    // The longest rows of a look.  Who is looked at for the first time may be asked for in L1.
    int most = kTogether;
    for (bool first = true; count > 0; first = false) {
        const bool near = most <= usual;
        int kept = 0;
        for (int i = lane; i - lane < count; i += kWarp) {
            Waiting mine{-1, 0};
            if (!first && i < count) mine = waiting[slot(i)];
            if (first && slot(i) < end) mine.vertex = static_cast<int>(slot(i));
            const bool waits = choice.look(mine, most, near);
            const unsigned who = __ballot_sync(kAll, waits);
            if (waits) waiting[slot(kept + __popc(who & ((1u << lane) - 1)))] = mine;
            kept += __popc(who);
        }
        const bool some = most < kAlone && 2 * kept <= count;
        most = some ? kAlone : most < usual ? usual : 0x7fffffff;
        count = kept;
        __syncwarp();
        if (count > 0) pause();
    }
}
