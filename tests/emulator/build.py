"""CUDA modules compiled by g++ for the emulator, on demand, and kept in a temporary folder."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: With ThreadSanitizer, where its library is preloaded.
RACES = ("-fsanitize=thread", "--param=tsan-instrument-func-entry-exit=0")
RACES = RACES if "tsan" in os.environ.get("LD_PRELOAD", "") else ()
__all__ = ["GPU", "MULTIPROCESSORS", "Module", "driver", "library", "parameters"]

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Gpu:
    """What kernels and their launches may have: a row of the table of compute capabilities."""

    capability: str
    #: KiB of shared memory: of a CTA that asks for it, and of a multiprocessor.
    shared: int
    shared_sm: int
    threads_sm: int
    #: Whether clusters of 16 CTAs fit.
    clusters: bool = False


GPUS = {
    "7.0": Gpu("70", 96, 96, 2048),
    "7.5": Gpu("75", 64, 64, 1024),
    "8.0": Gpu("80", 163, 164, 2048),
    "8.6": Gpu("86", 99, 100, 1536),
    "8.9": Gpu("89", 99, 100, 1536),
    "9.0": Gpu("90", 227, 228, 2048, clusters=True),
    # 16 multiprocessors of one, in parts that hold no cluster of 16.
    "9.0 slice": Gpu("90", 227, 228, 2048),
    "10.0": Gpu("100", 227, 228, 2048, clusters=True),
    "12.0": Gpu("120", 99, 100, 1536),
}
MULTIPROCESSORS = 2
#: The one that is emulated.
GPU = GPUS[os.environ.get("EMULATED_GPU", "8.0")]
#: Static variables of templates stay each module's own: they are shared memory.
OPTIONS = ("-std=c++20", "-O1", "-g", "-fPIC", "-shared", "-pthread", "-w", "-fno-gnu-unique")
OPTIONS += ("-fno-strict-aliasing", "-fno-stack-protector", "-Wl,-Bsymbolic", f"-I{HERE}")

_LOAD_TWO = "{{const auto all = *{2}; {0} = all.x, {1} = all.y;}}"
_LOAD_FOUR = "{{const auto all = *{4}; {0} = all.x, {1} = all.y, {2} = all.z, {3} = all.w;}}"
#: PTX that the kernels contain, in C++.
PTX = {
    "cvt.f64.f32 %0, %1;": "{0} = {1};",
    "cvt.rn.f32.f64 %0, %1;": "{0} = static_cast<float>{1};",
    "add.rn.f32 %0, %1, %2;": "{0} = {1} + {2};",
    "sub.rn.f32 %0, %1, %2;": "{0} = {1} - {2};",
    "mul.rn.f32 %0, %1, %2;": "{0} = {1} * {2};",
    "setp.lt.f32 p, %1, %2;": "{0} = {1} < {2};",
    "setp.eq.f32 p, %1, %2;": "{0} = {1} == {2};",
    "mov.u32 %0, %%lanemask_lt;": "{0} = (1u << emulator::lane()) - 1;",
    "mov.u64 %0, %%globaltimer;": "{0} = emulator::nanoseconds();",
    "ld.relaxed.gpu.global.u32 %0, [%1];": "{0} = __atomic_load_n({1}, __ATOMIC_RELAXED);",
    "ld.relaxed.gpu.global.u8 %0, [%1];": "{0} = __atomic_load_n({1}, __ATOMIC_RELAXED);",
    "ld.relaxed.gpu.global.s32 %0, [%1];": "{0} = __atomic_load_n({1}, __ATOMIC_RELAXED);",
    "ld.relaxed.sys.global.u32 %0, [%1];": "{0} = __atomic_load_n({1}, __ATOMIC_RELAXED);",
    "ld.relaxed.sys.global.u64 %0, [%1];": "{0} = emulator::waited_for({1});",
    "st.relaxed.sys.global.u64 [%0], %1;": "__atomic_store_n({0}, {1}, __ATOMIC_RELAXED);",
    "atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;": "{0} = emulator::inc({1}, {2});",
    "red.relaxed.sys.global.or.b32 [%0], %1;": ("__atomic_fetch_or({0}, {1}, __ATOMIC_RELAXED);"),
    "fence.acq_rel.sys;": "__atomic_thread_fence(__ATOMIC_ACQ_REL);",
    "st.relaxed.gpu.global.u8 [%0], %1;": "__atomic_store_n({0}, {1}, __ATOMIC_RELAXED);",
    "st.relaxed.gpu.global.s32 [%0], %1;": "__atomic_store_n({0}, {1}, __ATOMIC_RELAXED);",
    "red.release.gpu.global.add.u32 [%0], %1;": "__atomic_fetch_add({0}, {1}, __ATOMIC_RELEASE);",
    "ld.acquire.gpu.global.u32 %0, [%1];": "{0} = emulator::acquire({1});",
    "@p atom.global.or.b32 %0, [%2], %3;": (
        "if ({1}) {0} = __atomic_fetch_or({2}, {3}, __ATOMIC_RELAXED);"
    ),
    "@p ld.global.v4.s32 {%0, %1, %2, %3}, [%5];": (
        "if ({4}) {{const auto all = *{5}; {0} = all.x, {1} = all.y, {2} = all.z, {3} = all.w;}}"
    ),
    "@p ld.global.s64 %0, [%2];": "if ({1}) {0} = emulator::load({2});",
    "@p ld.global.s32 %0, [%2];": "if ({1}) {0} = emulator::load({2});",
    "@p ld.global.ca.u32 %0, [%2];": "if ({1}) {0} = emulator::load({2});",
    "prmt.b32 %0, %1, 0, 0xba98;": "{0} = ({1} >> 7 & 0x01010101u) * 255u;",
    "ld.global.L2::cache_hint.v2.u32": _LOAD_TWO,
    "ld.global.L2::cache_hint.v4.u32": _LOAD_FOUR,
    "ld.global.nc.L1::evict_first.v4.s32": _LOAD_FOUR,
    "@p ld.shared.u32 %0, [%2];": "if ({1}) {0} = emulator::shared_word({2});",
    "@p atom.shared.or.b32 %0, [%2], %3;": "if ({1}) {0} = emulator::shared_or({2}, {3});",
    "prefetch.global.L2 [%0];": ";",
    "cp.async.bulk.prefetch.L2.global [%0], %1;": ";",
    "mov.u32 %0, %%cluster_ctarank;": "{0} = emulator::cluster_rank();",
    "mapa.shared::cluster.u32 %0, %1, %2;": "{0} = emulator::address_in({1}, {2});",
    "fence.mbarrier_init.release.cluster;": ";",
    "mbarrier.inval.shared::cta.b64 [%0];": ";",
    "mbarrier.init.shared::cta.b64 [%0], %1;": "emulator::init_mbarrier({0}, {1});",
    "mbarrier.arrive.expect_tx.release.cta.shared::cluster.b64 _, [%0], %1;": (
        "emulator::arrive_expecting({0}, {1});"
    ),
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s32": (
        "emulator::send_async({0}, {1}, {2}, {3});"
    ),
    "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64": "emulator::wait_phase({0}, {1});",
    "barrier.cluster.arrive.release.aligned;": "emulator::cluster_barrier(__LINE__);",
}
_ASM = re.compile(r"\basm\s*(?:volatile\s*)?\(")
_DYNAMIC = re.compile(r"extern __shared__ (?:__align__\(\d+\) )?([\w ]+?) (\w+)\[\];")


def _closing(text: str, at: int) -> int:
    """Behind the bracket that closes the one before `at`; strings are skipped."""
    depth = 1
    while depth:
        if text[at] == '"':
            at = text.index('"', at + 1)
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def _in_cpp(statement: str) -> str:
    """An asm statement in C++; one that is not known ends the program when it is reached."""
    for ptx, cpp in PTX.items():
        if ptx in statement:
            operands = []
            for found in re.finditer(r'"[=+]?[a-z]"\s*\(', statement):
                end = _closing(statement, found.end())
                operands.append(f"({statement[found.end() : end - 1]})")
            return cpp.format(*operands)
    return 'emulator::fail("PTX that the emulator does not know", __LINE__);'


def translated(source: str) -> str:
    """CUDA's own syntax, as far as macros cannot be it, in C++, line for line."""
    parts, begin = [], 0
    while found := _ASM.search(source, begin):
        end = source.index(";", _closing(source, found.end())) + 1
        statement = source[found.start() : end]
        parts += [source[begin : found.start()], _in_cpp(statement), "\n" * statement.count("\n")]
        begin = end
    text = "".join([*parts, source[begin:]])
    text = _DYNAMIC.sub(r"auto* const \2 = reinterpret_cast<\1*>(emulator::dynamic_shared);", text)
    return text.replace('extern "C" __global__', "__global__")


@cache
def _folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"spbfs-emulator-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is somebody else's")
    return folder


def library(code: str, *options: str, mode: int = ctypes.DEFAULT_MODE) -> ctypes.CDLL:
    """This text as a shared library, compiled unless it has been."""
    headers = (path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.h")))
    given = (code, *OPTIONS, *options, *headers)
    compiled = _folder() / f"{hashlib.sha256(chr(0).join(given).encode()).hexdigest()[:24]}.so"
    if not compiled.exists():
        # Others, threads of this process among them, may be compiling the same.
        with tempfile.TemporaryDirectory(dir=_folder()) as scratch:
            source, fresh = Path(scratch) / "module.cpp", Path(scratch) / "module.so"
            source.write_text(code, encoding="utf-8")
            subprocess.run(("g++", *OPTIONS, source, "-o", fresh, *options), check=True)
            fresh.replace(compiled)
    return ctypes.CDLL(str(compiled), mode=mode)


@cache
def driver() -> ctypes.CDLL:
    """The emulator, which from now on is what ``libcuda.so.1`` names in this process."""
    sources = ("emulator.cpp", "driver.cpp")
    texts = (f'#line 1 "{name}"\n{(HERE / name).read_text(encoding="utf-8")}' for name in sources)
    found = library("".join(texts), "-Wl,-soname,libcuda.so.1", mode=ctypes.RTLD_GLOBAL)
    # The driver keeps what of a multiprocessor's shared memory no CTA can have: so much of each.
    reserved = GPU.shared_sm - GPU.shared
    found.emulate_gpu(
        MULTIPROCESSORS, GPU.shared_sm << 10, reserved << 10, GPU.threads_sm, int(GPU.clusters)
    )
    return found


@cache
def _static_shared(path: str) -> int:
    """Bytes of shared memory that a library's kernels declare, its thread-local variables.

    Of several kernels the sum, as far as nvcc allows one.
    """
    listed = subprocess.run(("readelf", "-sW", path), check=True, capture_output=True, text=True)
    total, seen = 0, set()
    for line in listed.stdout.splitlines():
        # Number, value, size, type, binding, visibility, section, name; in two tables.
        words = line.split()
        if len(words) == 8 and words[3] == "TLS" and words[6] != "UND" and words[7] not in seen:
            seen.add(words[7])
            total += 0 if "8emulator" in words[7] else int(words[2], 0)
    return min(total, 48 << 10)


#: Bytes of every parameter of a kernel, by its address.
parameters: dict[int, list[int]] = {}


class Module:
    """Kernels of one source by name expression, as functions that the driver launches.

    Parameters
    ----------
    code : str
        What `Specialisation.code` gives.
    kernels : tuple of str
        Name expressions.
    """

    def __init__(self, code: str, kernels: tuple[str, ...]) -> None:
        driver()
        entries = (
            f'extern "C" void kernel_{i}(void** a) {{ emulator::call({name}, a); }}\n'
            f'extern "C" int sizes_{i}(int* n) {{ return emulator::sizes({name}, n); }}'
            for i, name in enumerate(kernels)
        )
        text = "\n".join(('#include "emulator.h"', translated(code), *entries, ""))
        # Kernels ask for the generations of 8.0 and 9.0 only, so that others share their modules.
        generation = f"-D__CUDA_ARCH__={min(int(GPU.capability) // 10, 9)}00"
        self._library = library(text, generation, *RACES)
        self._number = {name: i for i, name in enumerate(kernels)}
        self.static_shared = _static_shared(self._library._name)

    def address(self, kernel: str) -> int:
        """What the driver calls a `CUfunction`."""
        entry = getattr(self._library, f"kernel_{self._number[kernel]}")
        address = ctypes.cast(entry, ctypes.c_void_p).value
        assert address is not None
        sizes = (ctypes.c_int * 64)()
        count = getattr(self._library, f"sizes_{self._number[kernel]}")(sizes)
        parameters[address] = list(sizes[:count])
        return address
