// Memory that is mapped from a file, written to or read while the file may lose its room.
//
// A page of a mapped file that the disk has no room for, or that lies behind the file's end after
// somebody cut it short, ends the process by SIGBUS.  While such memory is guarded, the handler
// puts memory that belongs to no file in the place of the page and of what follows it; the kernel
// goes on, and its launcher finds `lost` set and raises.  systemd's sigbus.c does the same.
#include <nanobind/nanobind.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <stdexcept>

namespace nb = nanobind;

namespace {

// What the handler looks through: no lock, no allocation.
struct Region {
    std::atomic<bool> taken{false};
    std::atomic<std::uintptr_t> begin{0}, end{0};
    std::atomic<bool> lost{false};
};

// More arrays than calls write to at the same time.
constexpr int kRegions = 256;
Region regions[kRegions];
const auto kPage = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));

std::mutex installing;
int guards = 0;
// Still so after the last guard where somebody's own handler was installed over ours.
bool installed = false;
struct sigaction before;

bool replaced(std::uintptr_t at) {
    for (Region& region : regions) {
        const std::uintptr_t begin = region.begin.load(), end = region.end.load();
        if (at < begin || at >= end) continue;
        const std::uintptr_t page = at & ~(kPage - 1), last = (end + kPage - 1) & ~(kPage - 1);
        void* const made = mmap(reinterpret_cast<void*>(page), last - page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        if (made == MAP_FAILED) return false;
        region.lost.store(true);
        return true;
    }
    return false;
}

void on_bus_error(int number, siginfo_t* info, void* context) {
    const int kept = errno;
    // A signal that another process sent has no address.
    const bool ours =
        info->si_code > 0 && replaced(reinterpret_cast<std::uintptr_t>(info->si_addr));
    errno = kept;
    if (ours) return;
    if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(number, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
        return before.sa_handler(number);
    // Nobody else takes it: the process ends as it would have, when the handler returns.
    signal(number, SIG_DFL);
    raise(number);
}

void install() {
    const std::lock_guard lock(installing);
    if (guards++ || installed) return;
    struct sigaction action = {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGBUS, &action, &before)) {
        --guards;
        throw std::runtime_error("kernel: no handler of SIGBUS can be installed");
    }
    installed = true;
}

void remove() {
    const std::lock_guard lock(installing);
    if (--guards) return;
    struct sigaction now = {};
    sigaction(SIGBUS, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_bus_error)
        installed = sigaction(SIGBUS, &before, nullptr) != 0;
}

class MappedGuard {
  public:
    // The caller keeps the memory mapped until `release`.
    MappedGuard(std::uintptr_t address, std::uintptr_t bytes) {
        for (Region& region : regions) {
            if (region.taken.exchange(true)) continue;
            region_ = &region;
            break;
        }
        if (!region_) throw std::runtime_error("kernel: too many guarded arrays");
        try {
            install();
        } catch (...) {
            region_->taken.store(false);
            throw;
        }
        region_->lost.store(false);
        region_->begin.store(address);
        region_->end.store(address + bytes);
    }
    MappedGuard(const MappedGuard&) = delete;
    ~MappedGuard() { release(); }

    bool lost() const { return region_ ? region_->lost.load() : lost_; }

    void release() {
        if (!region_) return;
        lost_ = region_->lost.load();
        region_->end.store(0);
        region_->begin.store(0);
        region_->taken.store(false);
        region_ = nullptr;
        remove();
    }

  private:
    Region* region_ = nullptr;
    bool lost_ = false;
};

}  // namespace

void bind_mapped(nb::module_& m) {
    nb::class_<MappedGuard>(m, "MappedGuard")
        .def(nb::init<std::uintptr_t, std::uintptr_t>(), nb::arg("address"), nb::arg("bytes"))
        .def_prop_ro("lost", &MappedGuard::lost)
        .def("release", &MappedGuard::release);
}
