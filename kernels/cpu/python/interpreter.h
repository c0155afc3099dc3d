// Python's lock, let go by a kernel while it runs and taken again.
//
// A daemon thread may be in a kernel when the interpreter exits.  Before Python 3.14 whoever then
// asks for the lock is ended by pthread_exit, whose unwinding ends the whole process at the first
// destructor, and where nothing is unwound takes away the stack that helpers still read.  So the
// thread sleeps instead until the process is gone, as 3.14 has it do.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

namespace spbfs {

template <class F>
auto with_exit_survived(F&& may_take_lock) {
    try {
        return may_take_lock();
    } catch (...) {  // C throws nothing: this is the unwinding
        for (;;) pause();
    }
}

// Other threads run Python meanwhile.
class Unlocked {
  public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked() {
        with_exit_survived([this] { PyEval_RestoreThread(state_); });
    }

  private:
    PyThreadState* const state_;
};

// Within that, by the same thread.
class LockedAgain {
  public:
    LockedAgain() : state_(with_exit_survived([] { return PyGILState_Ensure(); })) {}
    LockedAgain(const LockedAgain&) = delete;
    LockedAgain& operator=(const LockedAgain&) = delete;
    ~LockedAgain() { PyGILState_Release(state_); }

  private:
    const PyGILState_STATE state_;
};

}  // namespace spbfs
