// A function compiled for several instruction sets, of which the loader picks the machine's best.
// In headers: a file may leave some of them unused.
#pragma once

#if defined(SPBFS_CLONES)
// Given on the command line: by a test, for one instruction set at a time.
#elif defined(__x86_64__) && defined(__gnu_linux__)
#define SPBFS_CLONES \
    __attribute__((unused, target_clones("arch=skylake-avx512", "avx2", "default")))
#else
#define SPBFS_CLONES __attribute__((unused))
#endif
