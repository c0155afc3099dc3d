"""Classes of operators."""

# ruff: noqa: F401, F403

from spbfs.operators.definitions import *
from spbfs.operators.kinds.operator import Operator as OpBase
from spbfs.operators.kinds.parameterized import *
from spbfs.operators.lookup import *
from spbfs.operators.lookup import UNKNOWN_OPCLASS
from spbfs.operators.names.registry import OpPath
