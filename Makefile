# `make demo` and `make test` are all a newcomer needs; `make help` lists the rest.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# Training and export are tested where this torch is quickly had: on Python 3.11.
TORCH = torch==2.13.0
TRAINING = $(shell $(PYTHON) -c 'import sys; print("$(TORCH) .[train]" if sys.version_info[:2] == (3, 11) else "")')
SOURCES = $(shell git ls-files nsdbg rules onnx 2>/dev/null) pyproject.toml
STAMP = $(VENV)/.installed
JOBS ?= 2
PYTHONS ?= 3.11 3.12 3.13

.DEFAULT_GOAL := help
.PHONY: help demo test test-all slow lint format bench dev clean wheel model fuzz atheris walk residual mutation

help:  ## List these tasks
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# The wheel is what is installed and tested: nothing is imported from this folder.
$(STAMP): $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "nsdbg needs Python 3.11 or newer; this is %s: make PYTHON=python3.11 ..." % sys.version.split()[0])'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing nsdbg into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps .
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[cpu,smt,test]' $(TRAINING)
	@touch $@

demo: $(STAMP)  ## Set up, then explain a real crash log of examples/
	$(BIN)/nsdbg localize examples/crash.log --source-root examples/shop --emit-test $(VENV)/test_regression.py
	@echo; echo "--- $(VENV)/test_regression.py"; cat $(VENV)/test_regression.py
	@echo; echo "--- now a crash of yours: cd to your project, then"
	@echo "$(abspath $(BIN))/nsdbg localize crash.log"

test: $(STAMP)  ## Set up, then run all tests
	$(BIN)/pytest -n $(JOBS)

test-all:  ## Run all tests on every Python of PYTHONS that is here
	@for v in $(PYTHONS); do \
	  python=$$(command -v python$$v || true); \
	  "$$python" -c '' 2>/dev/null || python=$$(ls -d $${PYENV_ROOT:-$$HOME/.pyenv}/versions/$$v.*/bin/python 2>/dev/null | head -1); \
	  if [ -z "$$python" ]; then echo "Python $$v is not here"; continue; fi; \
	  echo "== Python $$v"; $(MAKE) --no-print-directory test PYTHON=$$python VENV=.venvs/$$v || exit 1; \
	done

slow: $(STAMP)  ## Run the seeded statistics and the long property tests
	$(BIN)/pytest -n $(JOBS) -m 'slow or hallucination'

bench: $(STAMP)  ## Measure verifications a second, start-up and reading speed
	$(BIN)/python bench/throughput.py
	$(BIN)/python bench/crashlog.py

lint: $(STAMP)  ## Check style and types
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[lint]'
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

format: $(STAMP)  ## Lay the code out as ruff does
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[lint]'
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .

dev:  ## Install for working on nsdbg: what you edit is what runs
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[cpu,smt,test,lint]'
	$(BIN)/pre-commit install

fuzz: $(STAMP)  ## Read 100,000 logs that were changed at random
	$(BIN)/python bench/fuzz.py mutations 100000
	$(BIN)/python bench/fuzz.py growth

atheris: $(STAMP)  ## Fuzz the reader guided by coverage, ten minutes
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris
	$(BIN)/python bench/fuzz.py atheris 600

walk: $(STAMP)  ## Hold walks against bdb over 10,000 generated programs
	$(BIN)/python bench/walk_against_bdb.py

residual: $(STAMP)  ## Hold 100,000 judged lies against the oracle
	nice -n 19 $(BIN)/python bench/residual.py

mutation: $(STAMP)  ## Change our own code in small ways, and count what no test notices
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'mutmut>=3.8,<4'
	$(BIN)/python bench/mutation.py --jobs $(JOBS)

# How onnx/ is made.  Hours on two cores; a GPU is used where torch finds one.  `make model SHARE=1
# MINUTES=1 MODEL=build/onnx` tries every step on a hundredth of the programs.
MINUTES ?= 240
SHARE ?= 100
MODEL ?= onnx
LIMIT ?= $(if $(filter 100,$(SHARE)),,--limit $(shell expr $(SHARE) '*' 60))
CORPORA = operation lines program functions stdlib packages
TRACE = $(BIN)/nsdbg model trace --format jsonl --exclude-data ../shared/data --jobs $(JOBS) --most
generated = --generated $$(expr $(1) '*' $(SHARE) / 100) --levels $(2):100 --seed $(3)
model: $(STAMP)  ## Record, train and export the neural debugger into onnx/
	@mkdir -p build
	$(TRACE) 2 build/operation.jsonl.gz $(call generated,12000,operation,100)
	$(TRACE) 2 build/lines.jsonl.gz $(call generated,24000,lines,200)
	$(TRACE) 2 build/program.jsonl.gz $(call generated,18000,program,300)
	$(TRACE) 8 build/functions.jsonl.gz --functions ../shared/train/functions.jsonl.gz $(LIMIT)
	$(TRACE) 8 build/stdlib.jsonl.gz --stdlib $(HELD:%=--without %) $(LIMIT)
	$(PYTHON) -m venv build/traced
	build/traced/bin/pip install --quiet --disable-pip-version-check $(TRACED)
	$(TRACE) 8 build/packages.jsonl.gz --python build/traced/bin/python $(TRACED_MODULES:%=--package %) $(LIMIT)
	$(BIN)/nsdbg model encode $(CORPORA:%=build/%.jsonl.gz) --out build/samples --jobs $(JOBS)
	$(BIN)/nsdbg model train build/samples build/run --minutes $(MINUTES)
	$(BIN)/nsdbg model export build/run build/samples --out $(MODEL) $(CORPORA:%=--corpus build/%.manifest.json)
HELD = heapq bisect textwrap fnmatch colorsys statistics
TRACED = boltons==26.2.0 pydash==8.1.0 algorithms==1.0.1 humanize==4.17.0 glom==25.12.0 \
  sortedcontainers==2.4.0 tabulate==0.10.0 validators==0.36.0 intervaltree==3.2.1 colour==0.1.5 \
  babel==2.19.0 nltk==3.10.4 mpmath==1.3.0 sympy==1.14.0
TRACED_MODULES = boltons pydash algorithms humanize glom sortedcontainers tabulate validators \
  intervaltree colour babel nltk.metrics nltk.stem nltk.util nltk.tokenize mpmath.libmp \
  sympy.ntheory sympy.utilities sympy.discrete sympy.combinatorics

wheel: $(STAMP)  ## Build the wheel into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

clean:  ## Remove what these tasks made
	rm -rf $(VENV) .venvs dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
