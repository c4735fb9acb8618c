# make demo   the paper's experiments on small data, two minutes, and a page of the results: build/paper/report.html
# make test   lint, types, import contracts, tests
# make bench  compare speeds, up to an hour; QUICK=1: five minutes; DATA=dir: the folder with the real sets
# All work in a fresh clone with only python3 (3.11 or newer), make and a C++17 compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(wildcard native/*)
BUILD := pyproject.toml CMakeLists.txt $(NATIVE)

.PHONY: demo test bench lint types imports pytest format clean

demo: $(VENV)/installed
	$(BIN)/frankboost paper --quick
	$(BIN)/frankboost report

test: lint types imports pytest

bench: $(VENV)/installed
	$(BIN)/python benchmarks/run.py $(if $(QUICK),--quick) $(if $(DATA),--data "$(DATA)")

lint: $(VENV)/installed-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run --Werror $(NATIVE)

types: $(VENV)/installed-test
	$(BIN)/mypy

imports: $(VENV)/installed-test
	$(BIN)/lint-imports --no-cache

pytest: $(VENV)/installed-test
	$(BIN)/python -m pytest -q -n auto

format: $(VENV)/installed-test
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(NATIVE)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Editable: changes to Python files need no new install, changes to the kernels make one.
$(VENV)/installed: $(BUILD) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[cli]"
	touch $@

$(VENV)/installed-test: $(BUILD) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
