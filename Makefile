# `make help` lists the targets. Everything happens in .venv, from the lock files.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
ARGS ?=

.PHONY: help run test check setup golden bench sample docs vendor lock clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: .venv/.run  ## collect, assemble and serve the page (asz up); ARGS="--sample" for the sample
	@$(BIN)/asz up $(ARGS)

test: .venv/.dev  ## the whole test suite; ARGS="-k name" for a part of it
	@$(BIN)/pytest -n auto -q $(ARGS)

check: .venv/.dev  ## format, lint, types, imports: what must hold before a commit
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python tools/make_sample.py --check
	@$(BIN)/python tools/make_docs.py --check
	@$(BIN)/python tools/make_schema.py --check
	@$(BIN)/python tools/vendor_page.py --check

setup: .venv/.dev  ## a working checkout, with everything a developer needs

golden: .venv/.dev  ## rewrite the golden outputs; review the diff
	@$(BIN)/pytest tests/golden --update-golden -q $(ARGS)

bench: .venv/.dev  ## paired benchmarks; ARGS="--write" appends to benchmarks/RESULTS.md
	@$(BIN)/python benchmarks/run.py $(ARGS)

sample: .venv/.dev  ## rewrite the bundled sample home
	@$(BIN)/python tools/make_sample.py

docs: .venv/.dev  ## rewrite the generated parts of docs/
	@$(BIN)/python tools/make_docs.py
	@$(BIN)/python tools/make_schema.py

vendor: .venv/.dev  ## fetch the page's third-party parts again
	@$(BIN)/python tools/vendor_page.py

lock: .venv/.dev  ## resolve the dependencies anew
	@$(PIP) install uv
	@$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-header --quiet --upgrade pyproject.toml requirements/build.in -o requirements/run.lock
	@$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-header --quiet --extra dev -c requirements/run.lock pyproject.toml requirements/build.in \
	    -o requirements/dev.lock

clean:  ## remove the virtual environment and every cache
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sessionizer needs Python 3.11 or newer; set PYTHON=python3.12 or the like")'
	@$(PYTHON) -m venv .venv

.venv/.run: requirements/run.lock pyproject.toml | $(BIN)/python
	@echo "installing sessionizer into .venv (once)"
	@$(PIP) install --require-hashes -r requirements/run.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.dev: requirements/dev.lock pyproject.toml | $(BIN)/python
	@echo "installing sessionizer and its development tools into .venv (once)"
	@$(PIP) install --require-hashes -r requirements/dev.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@ .venv/.run
