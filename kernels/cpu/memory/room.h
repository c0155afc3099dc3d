// Memory for results whose number is known once they are made: room for as many as there can be, of
// which the system gives what is written, and which is cut to size where it lies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "cpu/python/owned.h"

namespace spbfs {

class Room {
  public:
    Room() = default;
    explicit Room(std::size_t bytes) : memory_(static_cast<char*>(std::malloc(bytes | 1))) {
        if (!memory_) throw std::bad_alloc();
        ask_for_large_pages(bytes);
    }

    char* data() const { return memory_.get(); }
    template <class T>
    T* of() const {
        return reinterpret_cast<T*>(memory_.get());
    }
    explicit operator bool() const { return memory_ != nullptr; }

    // Keeps the first bytes, where they lie if that can be.
    void resize(std::size_t bytes) {
        if (!memory_) {
            *this = Room(bytes);
            return;
        }
        void* const moved = std::realloc(memory_.get(), bytes | 1);
        if (moved == nullptr) throw std::bad_alloc();
        static_cast<void>(memory_.release());
        memory_.reset(static_cast<char*>(moved));
        ask_for_large_pages(bytes);
    }

    // As an array of NumPy's, of bytes, whose memory it becomes; None of no room.
    nanobind::object array(std::size_t bytes) && {
        namespace nb = nanobind;
        if (!memory_) return nb::none();
        char* const data = memory_.release();
        nb::capsule owner(data, [](void* p) noexcept { std::free(p); });
        return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {bytes}, owner));
    }

  private:
    // As NumPy does for its arrays: the system gives 4 KiB at a time otherwise, and to be given
    // them takes as long as to write them.
    void ask_for_large_pages(std::size_t bytes) {
#ifdef MADV_HUGEPAGE
        constexpr std::size_t kWorthIt = std::size_t{1} << 22, kPage = 4096;
        if (bytes < kWorthIt) return;
        // Whole pages, that with malloc's own word before them as well: of memory of two kinds no
        // more can be asked for where it lies.
        const std::size_t before = reinterpret_cast<std::uintptr_t>(memory_.get()) % kPage;
        const std::size_t all = (before + bytes + kPage - 1) / kPage * kPage;
        madvise(memory_.get() - before, all, MADV_HUGEPAGE);
#endif
    }

    struct Free {
        void operator()(char* p) const { std::free(p); }
    };
    std::unique_ptr<char, Free> memory_;
};

}  // namespace spbfs
