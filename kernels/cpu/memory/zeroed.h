// Memory that the system gives zeroed, page by page as it is touched.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace spbfs {

template <class T>
class Zeroed {
  public:
    explicit Zeroed(std::int64_t size)
        : memory_(static_cast<T*>(std::calloc(static_cast<std::size_t>(size) | 1, sizeof(T)))) {
        if (!memory_) throw std::bad_alloc();
    }

    T& operator[](std::int64_t i) const { return memory_[static_cast<std::size_t>(i)]; }

  private:
    struct Free {
        void operator()(T* p) const { std::free(p); }
    };
    std::unique_ptr<T[], Free> memory_;
};

}  // namespace spbfs
