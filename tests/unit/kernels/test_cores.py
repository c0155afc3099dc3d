"""How many cores a process has, by files as the kernel writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from spbfs.base import cores

V2 = "31 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate"
V1 = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct"
OTHER = "33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"
A, B = "sys/fs/cgroup", "sys/fs/cgroup/cpu,cpuacct"


def quota(period: int, used: int) -> dict[str, str]:
    return {"cpu.cfs_quota_us": f"{used}\n", "cpu.cfs_period_us": f"{period}\n"}


# What /proc says, files below folders, cores.
CASES = {
    "version 2": ("0::/\n", V2, {A: {"cpu.max": "200000 100000\n"}}, 2),
    "part of a core": ("0::/\n", V2, {A: {"cpu.max": "50000 100000\n"}}, 1),
    "rounded up": ("0::/\n", V2, {A: {"cpu.max": "250000 100000\n"}}, 3),
    "no limit": ("0::/\n", V2, {A: {"cpu.max": "max 100000\n"}}, None),
    "the least of nested groups": (
        "0::/a/b/c\n",
        V2,
        {
            f"{A}/a": {"cpu.max": "300000 100000"},
            f"{A}/a/b": {"cpu.max": "max 100000"},
            f"{A}/a/b/c": {"cpu.max": "800000 100000"},
            f"{A}/other": {"cpu.max": "100000 100000"},
        },
        3,
    ),
    "version 1": ("4:cpu,cpuacct:/x\n3:memory:/\n", V1, {f"{B}/x": quota(100_000, 400_000)}, 4),
    "version 1 without": ("4:cpu,cpuacct:/x\n", V1, {f"{B}/x": quota(100_000, -1)}, None),
    "version 1, nested": (
        "4:cpu,cpuacct:/x/y\n",
        V1,
        {f"{B}/x": quota(50_000, 100_000), f"{B}/x/y": quota(100_000, 1_000_000)},
        2,
    ),
    "both": (
        "4:cpu,cpuacct:/x\n0::/x\n",
        f"{OTHER}\n{V1}\n{V2}",
        {f"{B}/x": quota(100_000, 600_000), f"{A}/x": {"cpu.max": "500000 100000"}},
        5,
    ),
    "a mount that begins below": (
        "0::/docker/abc/inner\n",
        V2.replace(" / ", " /docker/abc ", 1),
        {A: {"cpu.max": "600000 100000"}, f"{A}/inner": {"cpu.max": "200000 100000"}},
        2,
    ),
    "a path that is not seen": (
        "0::/docker/abc\n",
        V2.replace(" / ", " /elsewhere ", 1),
        {A: {"cpu.max": "600000 100000"}},
        6,
    ),
    "outside of the name space": ("0::/../b\n", V2, {A: {"cpu.max": "300000 100000"}}, 3),
    "no period": ("0::/\n", V2, {A: {"cpu.max": "300000 0"}}, None),
    "negative": ("0::/\n", V2, {A: {"cpu.max": "-5 100000"}}, None),
    "no numbers": ("0::/\n", V2, {A: {"cpu.max": "lots\n\xff"}}, None),
    "nothing in it": ("0::/\n", V2, {A: {"cpu.max": ""}}, None),
    "a lone half": ("4:cpu:/\n", V1, {B: {"cpu.cfs_quota_us": "100000"}}, None),
    "nonsense": ("::::\n\n7\nabc", "- - -\n1 2 3 - cgroup2\n\x00", {}, None),
    "empty": ("", "", {}, None),
}


@pytest.mark.parametrize("name", CASES)
def test_what_control_groups_pay_for(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups, mounts, folders, expected = CASES[name]
    files = {
        "proc/self": {"cgroup": groups, "mountinfo": mounts},
        **folders,
    }
    for folder, contents in files.items():
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for file, text in contents.items():
            (tmp_path / folder / file).write_text(text, encoding="latin-1")
    monkeypatch.setattr(cores, "_ROOT", tmp_path)
    assert cores.quota_cores.__wrapped__() == expected


def test_no_file_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "_ROOT", tmp_path)
    assert cores.quota_cores.__wrapped__() is None


def test_the_least_of_affinity_and_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores.os, "sched_getaffinity", lambda _: set(range(12)), raising=False)
    for quota, expected in ((None, 12), (3, 3), (40, 12)):
        monkeypatch.setattr(cores, "quota_cores", lambda quota=quota: quota)
        assert cores.available_cores() == expected
