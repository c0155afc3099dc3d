// Positive numbers beyond a double's range: part * 2^(512 * power), part within [2^-256, 2^256),
// and zero.  The precision is a double's.
#pragma once

#include <cmath>
#include <cstdint>

namespace spbfs {

struct Wide {
    double part = 0.0;
    std::int64_t power = 0;

    // The same number with its part in range; it is off by one power at most.
    static Wide of(double part, std::int64_t power) {
        if (part >= 0x1p256) return {part * 0x1p-512, power + 1};
        if (part < 0x1p-256 && part > 0.0) return {part * 0x1p512, power - 1};
        return {part, power};
    }

    Wide& operator+=(const Wide& other) {
        if (part == 0.0) return *this = other;
        // Two powers apart the lesser one is below the precision of the greater one.
        if (other.part == 0.0 || power > other.power + 1) return *this;
        if (other.power > power + 1) return *this = other;
        if (power == other.power) return *this = of(part + other.part, power);
        if (power > other.power) return *this = of(part + other.part * 0x1p-512, power);
        return *this = of(part * 0x1p-512 + other.part, other.power);
    }
};

inline bool finite(double number) { return std::isfinite(number); }
inline bool finite(const Wide&) { return true; }

inline bool positive(double number) { return number > 0.0; }
inline bool positive(const Wide& number) { return number.part > 0.0; }

inline double quotient(double a, double b) { return a / b; }
inline Wide quotient(double a, const Wide& b) { return Wide::of(a / b.part, -b.power); }

inline double product(double a, double b) { return a * b; }
inline double product(const Wide& a, const Wide& b) {
    return std::ldexp(a.part * b.part, static_cast<int>(512 * (a.power + b.power)));
}

}  // namespace spbfs
