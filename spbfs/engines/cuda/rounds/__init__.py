"""Rounds of a program that is not ours: one is recorded as a CUDA graph, which makes the others.

`spbfs.repeat` calls `RecordedRounds` for every round but the first.  One is rehearsed: it runs as
recorded rounds will, the state brought back into arrays that stay, what else it makes in an arena
of its own, directions chosen without a look at the GPU, so that all is compiled and derived that
such a round needs; and it is noted what may be another thing in every round.  If nothing is, the
round behind it is captured instead of run, and launched from then on.
"""
