# make demo and make test set everything up themselves, in .venv; what is up to date is not redone.
# They need Python >= 3.11 (another one: make PYTHON=python3.12 demo), make and a C++20 compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
# CMake and Ninja live in the virtual environment too, so that a rebuild is incremental.
NATIVE := CMakeLists.txt pyproject.toml $(shell find kernels -type f -not -name '*.pyc')
CXX_SOURCES = $(shell find kernels tests/emulator -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh')
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: help demo test docs lint full format kernels emulate races bench gpu clean
.DELETE_ON_ERROR:

help:
	@echo 'make demo    search a real graph and a generated one of a million vertices'
	@echo 'make test    run the tests'
	@echo 'make docs    run what the documentation says and build its site, .site/index.html'
	@echo 'make lint    ruff, mypy, clang-format'
	@echo 'make format  let ruff and clang-format rewrite the sources'
	@echo 'make kernels compile the CUDA kernels, no GPU needed: registers, spills, warnings'
	@echo 'make full    all of these and the long suites whole: hours'
	@echo 'make emulate run the CUDA engine on the CPU, no GPU needed: many of its tests, in minutes'
	@echo 'make races   the same for a few searches, under ThreadSanitizer'
	@echo 'make bench   compare with other packages, into benchmarks/results/'
	@echo 'make gpu     on a machine with a GPU and CuPy: build, test what needs one, measure'
	@echo 'make clean   remove whatever these made'

demo: $(VENV)/ready
	@$(BIN)/python examples/demo.py

# Side by side; who runs out of tests takes half of what another has left.
test: $(VENV)/ready-test
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal

# Every block and every row of a comparison is run; a warning is an error.
docs: $(VENV)/ready-docs
	$(BIN)/python -m docs.builder --site build/site
	$(BIN)/python -m sphinx -W --keep-going -E -q -b html build/site .site
	@echo 'Open .site/index.html'

lint: $(VENV)/ready-lint
	ruff check .
	ruff format --check .
	$(BIN)/python -m mypy
	clang-format --dry-run -Werror $(CXX_SOURCES)

format: $(VENV)/ready-lint
	ruff check --fix .
	ruff format .
	clang-format -i $(CXX_SOURCES)

# ARCH="75 90" for some generations of GPUs only.
kernels: $(VENV)/ready-kernels
	$(BIN)/python .ci/compile_kernels.py $(if $(ARCH),--arch $(ARCH))

# Hours: every test, every generation of GPUs, a hundred thousand files and programs.
full: lint kernels $(VENV)/ready-test
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal --long
	$(BIN)/python -m tests.fuzz_files --count 100000
	$(BIN)/python -m tests.programs 100000

# tests/emulator stands in for CuPy and for the CUDA driver.
emulate: $(VENV)/ready-test
	PYTHONPATH=tests/emulator $(BIN)/python -m pytest -s -k cuda \
	    tests/cuda/bfs_many/test_many.py tests/cuda/bfs_many/test_several_gpus.py \
	    tests/cuda/bfs/test_fused_bfs.py tests/cuda/lookahead/test_ahead.py \
	    tests/cuda/lookahead/test_ahead_programs.py tests/cuda/lookahead/test_ahead_writers.py \
	    tests/backend/bfs/test_bfs.py tests/backend/bfs/test_bfs_process.py \
	    tests/backend/bfs/test_bfs_layouts.py tests/backend/bfs/test_bfs_parts.py \
	    tests/backend/bfs/test_bfs_engines.py tests/backend/products/test_packed.py \
	    tests/backend/products/test_products_by_rows.py \
	    tests/backend/calls/test_misuse.py tests/backend/calls/test_bad_input.py \
	    tests/backend/statements/test_mask_algebra.py tests/backend/bfs/test_traversal_loops.py \
	    tests/backend/bfs/test_strategies.py tests/backend/bfs_many/test_bfs_many_stepwise.py
	PYTHONPATH=tests/emulator $(BIN)/python -m pytest -s tests/backend/bfs/test_residences.py
	PYTHONPATH=tests/emulator $(BIN)/python -m pytest -s tests/dist/test_gpus.py
	PYTHONPATH=tests/emulator $(BIN)/python -m pytest -s -k cuda tests/dist/test_searches.py
	PYTHONPATH=tests/emulator $(BIN)/python -m pytest -s tests/cuda/peers/test_peers.py \
	    tests/cuda/runtime/test_pinned.py
	EMULATED_GPU=9.0 PYTHONPATH=tests/emulator $(BIN)/python -m pytest -s \
	    -k "records and not path and not lattice and not stencil" tests/cuda/bfs/test_fused_bfs.py

# Small searches, and products whose warps share memory without a barrier, under ThreadSanitizer,
# which cannot live with addresses drawn at random.  Searches have races that they allow.
RACES = LD_PRELOAD=$$(g++ -print-file-name=libtsan.so) EMULATED_GPU=9.0 PYTHONPATH=tests/emulator \
	TSAN_OPTIONS="ignore_noninstrumented_modules=1 history_size=5
races: $(VENV)/ready-test
	$(RACES) exitcode=0" setarch -R $(BIN)/python -m pytest -s tests/cuda/bfs/test_fused_bfs.py \
	    -k "records and (depth_target or (tree and int32 and (star or loops or directed)))"
	$(RACES)" setarch -R $(BIN)/python -m pytest -s -k "cuda and fill_threads" \
	    tests/backend/products/test_products_by_rows.py

bench: $(VENV)/ready-bench
	$(BIN)/python -m benchmarks bfs

# No virtual environment: CuPy comes with the machine.
gpu:
	.ci/gpu

clean:
	rm -rf $(VENV) .site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo 'spbfs needs Python 3.11 or later; this is '"$$($(PYTHON) --version)"; exit 1; }
	@echo 'Setting up $(VENV): the first time takes a minute or two'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c 'import tomllib; \
	    print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	    > $(VENV)/build-requirements.txt
	@$(PIP) install -r $(VENV)/build-requirements.txt cmake ninja
	@touch $@

$(VENV)/ready: $(VENV)/tools $(NATIVE)
	@$(BIN)/python .ci/install.py
	@touch $@

# The tests, checks and benchmarks need packages of their own: the extra of the same name.
$(VENV)/ready-%: $(VENV)/ready
	@echo 'Installing what the $* extra names'
	@$(BIN)/python -c 'import tomllib; \
	    print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["$*"], \
	    sep="\n")' > $(VENV)/$*-requirements.txt
	@$(PIP) install -r $(VENV)/$*-requirements.txt
	@touch $@
