// Clusters of 16 CTAs, one a grid: their shared memory, messages and barriers; part of emulator.h.
#pragma once

namespace emulator {

constexpr unsigned kCluster = 16;
inline unsigned char* shared_of[kCluster];  // of the CTAs that have asked for their rank
inline unsigned cluster_arrived;
inline std::uint64_t cluster_turn;

inline unsigned cluster_rank() {
    if (current.blocks != kCluster) fail("a cluster of 16 is all of its grid here", __LINE__);
    __atomic_store_n(&shared_of[current.block], &dynamic_shared[0], __ATOMIC_RELEASE);
    return current.block;
}
// Addresses in another CTA's dynamic shared memory.
inline unsigned address_in(unsigned address, unsigned cta) { return cta + 1 << 24 | address; }
inline unsigned char* at_address(unsigned address) {
    return shared_of[(address >> 24) - 1] + (address & 0xffffff);
}

// An mbarrier: bit 0 its phase, arrivals of a phase from bit 1, those missing from bit 16, bytes
// that are still to come (they may come before they are announced) in the upper half.
inline void change_mbarrier(unsigned char* at, unsigned arrivals, int bytes) {
    std::uint64_t* const word = reinterpret_cast<std::uint64_t*>(at);
    std::uint64_t before = __atomic_load_n(word, __ATOMIC_RELAXED), after;
    do {
        const unsigned low = static_cast<unsigned>(before), all = low >> 1 & 0x7fff;
        unsigned missing = (low >> 16) - arrivals, phase = low & 1;
        const unsigned left = static_cast<unsigned>(before >> 32) + static_cast<unsigned>(bytes);
        if (missing == 0 && left == 0) missing = all, phase ^= 1;
        after = std::uint64_t{left} << 32 | missing << 16 | all << 1 | phase;
    } while (!__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_RELAXED));
}
inline void init_mbarrier(unsigned address, unsigned arrivals) {
    const std::uint64_t word = arrivals << 16 | arrivals << 1;
    std::memcpy(dynamic_shared + address, &word, sizeof(word));
}
inline void arrive_expecting(unsigned address, unsigned bytes) {
    change_mbarrier(at_address(address), 1, static_cast<int>(bytes));
}
inline void send_async(unsigned to, int x, int y, unsigned mbarrier) {
    const int both[2] = {x, y};
    std::memcpy(at_address(to), both, sizeof(both));
    change_mbarrier(at_address(mbarrier), 0, -static_cast<int>(sizeof(both)));
}
inline void wait_phase(unsigned address, unsigned parity) {
    const auto* const word = reinterpret_cast<std::uint64_t*>(dynamic_shared + address);
    wait_for_change(word, parity);
    __atomic_load_n(word, __ATOMIC_ACQUIRE);  // by this lane itself
}
inline void cluster_barrier(int line) {
    barrier(0, line);
    if (current.thread == 0) {
        const std::uint64_t turn = __atomic_load_n(&cluster_turn, __ATOMIC_ACQUIRE);
        if (__atomic_add_fetch(&cluster_arrived, 1, __ATOMIC_ACQ_REL) == kCluster) {
            __atomic_store_n(&cluster_arrived, 0, __ATOMIC_RELAXED);
            __atomic_store_n(&cluster_turn, turn + 1, __ATOMIC_RELEASE);
        }
        wait_for_change(&cluster_turn, turn & 1);
        __atomic_load_n(&cluster_turn, __ATOMIC_ACQUIRE);
    }
    barrier(0, line);
}

}  // namespace emulator
