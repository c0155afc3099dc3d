// Names and the numbers that they get as they are first met.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cpu/text/keyed_hash.h"

namespace spbfs::text {

class Names {
  public:
    // The number of a name, which is the next one where nobody has asked for it before.  `line` is
    // where the file has it.
    int64_t number(std::string_view name, int64_t line) {
        const uint64_t hash = hash_(name);
        size_t at = hash & (slots_.size() - 1);
        for (; slots_[at].number >= 0; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].hash == hash && this->name(slots_[at].number) == name)
                return slots_[at].number;
        const int64_t made = size();
        letters_.append(name);
        ends_.push_back(letters_.size());
        lines_.push_back(line);
        slots_[at] = {hash, made};
        if (2 * ends_.size() > slots_.size()) grow();
        return made;
    }

    std::string_view name(int64_t number) const {
        const size_t n = static_cast<size_t>(number);
        const size_t begin = n ? ends_[n - 1] : 0;
        return std::string_view(letters_).substr(begin, ends_[n] - begin);
    }

    // The line of the file that has a name first.
    int64_t line(int64_t number) const { return lines_.at(static_cast<size_t>(number)); }

    int64_t size() const { return static_cast<int64_t>(ends_.size()); }

    size_t bytes() const {
        return letters_.capacity() + slots_.capacity() * sizeof(Slot) +
               (ends_.capacity() + lines_.capacity()) * 8;
    }

  private:
    struct Slot {
        uint64_t hash = 0;
        int64_t number = -1;  // -1: free
    };

    void grow() {
        std::vector<Slot> wider(2 * slots_.size());
        for (const Slot& slot : slots_) {
            if (slot.number < 0) continue;
            size_t at = slot.hash & (wider.size() - 1);
            while (wider[at].number >= 0) at = (at + 1) & (wider.size() - 1);
            wider[at] = slot;
        }
        slots_.swap(wider);
    }

    KeyedHash hash_;            // numbers do not depend on its key
    std::string letters_;       // of all names, one after another
    std::vector<size_t> ends_;  // where in them each ends
    std::vector<int64_t> lines_;
    std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two, half of them free
};

}  // namespace spbfs::text
