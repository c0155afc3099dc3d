// Functions that only fetch ahead.
#pragma once

// Marks one: a compiler takes the call of a function that changes nothing and returns nothing for
// one that does nothing, and drops it, unless it has been inlined before.
#define SPBFS_FETCHES [[gnu::always_inline]] inline
