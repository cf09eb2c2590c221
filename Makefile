# One command per chore. `make play` and `make test` do all their own set-up.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(CURDIR)/$(VENV)/bin
export PATH := $(BIN):$(PATH)
# Bytecode is kept, since it halves the start of every command, but not beside the sources.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/pycache
export APE_DATA_FOLDER := $(CURDIR)/.build/ape
UV := $(BIN)/uv

PAGE := frontend/web/dist/index.html
PAGE_SOURCES := $(shell find frontend/web -type f -not -path '*/dist/*' -not -path '*/node_modules/*' -not -path '*/tests/*')

.PHONY: help setup page play test test-full test-load soak lint format lock bench clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1|/' | column -t -s'|'

setup: $(VENV)/.installed node_modules/.installed  ## Install everything into this folder, and a browser for the tests
	@scripts/install-chromium

# uv is taken from the machine where there is one, else from PyPI into the virtual environment.
$(VENV)/.uv:
	@echo "· creating the Python environment"
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 13))' \
	  || { echo "Python 3.11 or 3.12 is needed; set PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@command -v uv >/dev/null && ln -sf "$$(command -v uv)" $(UV) || $(BIN)/pip install -q uv
	@touch $@

$(VENV)/.installed: $(VENV)/.uv requirements.lock pyproject.toml
	@echo "· installing the locked Python packages"
	@$(UV) pip sync -q --python $(BIN)/python --require-hashes requirements.lock
	@$(UV) pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	@touch $@

node_modules/.installed: $(VENV)/.installed package-lock.json
	@echo "· installing the locked Node packages (compiler, local chain, libraries)"
	@npm ci --ignore-scripts --silent
	@touch $@

page: $(PAGE)  ## Build the page that players see

$(PAGE): node_modules/.installed $(PAGE_SOURCES)
	@echo "· building the page"
	@npm run build --silent --workspace frontend/web -- --logLevel warn
	@touch $@

play: page  ## Play in the browser, on a chain of your own: starts everything and prints the address
	@fogbound-web play

test: setup page  ## Lint, type-check and run the test suite
	@scripts/test

test-full: setup page  ## The same with all that is compared: every vector, size, kill and random game
	@scripts/test --full

test-load: setup page  ## Run the test suite while other work holds every core
	@scripts/under_load scripts/test

soak: setup page  ## Play for five minutes on a stack whose processes are killed, and compare everything
	@scripts/soak

lint: setup  ## Style, types, import rules, what slither finds
	@scripts/lint

format: setup  ## Rewrite Python, Solidity and TypeScript in the house style
	@scripts/format

lock:  ## Resolve the dependencies anew
	@uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --extra dev \
	  --python-version 3.11 pyproject.toml -o requirements.lock
	@npm install --ignore-scripts --package-lock-only

bench: setup  ## Measure what docs/benchmarks.md reports
	@scripts/bench

clean:  ## Remove what set-up and runs have left in this folder
	@rm -rf $(VENV) node_modules frontend/web/dist .build .fogbound contracts/.cache .hypothesis .pytest_cache .mypy_cache .ruff_cache
