# make demo   the paper's experiments on small data, two minutes, and a page of the results: build/paper/report.html
# make quick  lint, types, import contracts and the tests of the game, about a minute: what to run before a commit
# make test   lint, types, import contracts, tests
# make test-oldest   the tests with the oldest versions that pyproject.toml allows, in an environment of their own
# make bench  compare speeds, up to an hour; QUICK=1: five minutes; DATA=dir: the folder with the real sets
# make accuracy DATA=dir   compare accuracy with other libraries, hours; a second call does what is missing; OUT=dir
# make labels   turn labels wrong and see who finds them, an hour; QUICK=1: some minutes; DATA=dir; a second call does what is missing
# make gpu-test, make gpu-bench   the CUDA room's tests and benchmark, where there is a device
# make gpu-sanitize   those tests under compute-sanitizer, hours; JOBS=7: so many side by side
# make torture   random problems, hostile inputs, changed files and more, five minutes; MINUTES=30, HOURS=2, SEED=7
# make docs   the site, from docstrings, examples and docs/: build/docs/index.html
# make docs-check   the same, then look at it in a browser
# make sanitize  tests of the kernels and some torture under the address, undefined-behaviour and thread sanitizers
# make same-bits DATA=dir   the same fits by kernels without AVX2, by kernels without optimisation, and on 2 to 4 threads
# All work in a fresh clone with only python3 (3.11 or newer), make and a C++17 compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(wildcard native/*)
BUILD := pyproject.toml CMakeLists.txt $(NATIVE)

.PHONY: demo same-bits quick test test-oldest bench gpu-test gpu-bench gpu-sanitize accuracy labels docs docs-check torture sanitize lint types imports pytest format clean

demo: $(VENV)/installed
	$(BIN)/python -m studies paper --quick
	$(BIN)/python -m studies report

# The laws of rooms, parts, grid and loop, the reading of tables, and what is called by its name alone.
QUICK_TESTS := tests/rooms/test_laws.py tests/rooms/test_questions.py tests/rooms/test_local.py \
	tests/rooms/test_margin_matrix.py tests/test_grid.py tests/test_certificate.py tests/test_scope.py \
	tests/fitting/test_stopping.py tests/test_trace.py tests/test_model.py tests/learners/test_tree.py tests/tables \
	tests/rules/test_frank_wolfe.py tests/dask/test_journal.py tests/dask/test_tables.py tests/test_contributing.py tests/test_pyproject.py

quick: lint types imports
	$(BIN)/python -m pytest -q -n auto $(QUICK_TESTS)

test: lint types imports pytest

# What the lower bounds do not name is the newest: polars, which older versions of scikit-learn do not know, the test
# tools, and what the packages require themselves. Old packages use what these deprecate.
OLDEST := build/oldest

test-oldest: $(OLDEST)/installed
	$(OLDEST)/venv/bin/python -m pytest -q -n auto -W ignore::DeprecationWarning

$(OLDEST)/installed: $(BUILD) tools/lower_bounds.py
	$(PYTHON) -m venv --clear $(OLDEST)/venv
	$(PYTHON) tools/lower_bounds.py > $(OLDEST)/bounds.txt
	$(OLDEST)/venv/bin/python -m pip install --quiet --disable-pip-version-check -c $(OLDEST)/bounds.txt cmake nanobind ninja scikit-build-core
	PATH="$(CURDIR)/$(OLDEST)/venv/bin:$$PATH" $(OLDEST)/venv/bin/python -m pip install --quiet --disable-pip-version-check -c $(OLDEST)/bounds.txt \
		--no-build-isolation -Cbuild-dir=$(OLDEST)/cmake -e ".[test]"
	touch $@

bench: $(VENV)/installed-rivals
	PYTHONWARNINGS=ignore::UserWarning $(BIN)/python benchmarks/run.py $(if $(QUICK),--quick) $(if $(DATA),--data "$(DATA)")

accuracy: $(VENV)/installed-rivals
	$(BIN)/python -m studies accuracy $(if $(DATA),--data "$(DATA)") $(if $(OUT),--out "$(OUT)")

labels: $(VENV)/installed-rivals
	$(BIN)/python -m studies labels $(if $(QUICK),--quick) $(if $(DATA),--data "$(DATA)") $(if $(OUT),--out "$(OUT)")

docs: $(VENV)/installed-docs
	$(BIN)/python -m sphinx -b html -W --keep-going -q -d build/doctrees docs build/docs
	@echo build/docs/index.html

docs-check: docs $(VENV)/installed-test
	FRANKBOOST_SITE=build/docs $(BIN)/python -m pytest -q tests/docs

# On a machine with a CUDA device and a CuPy for its version of CUDA.
gpu-test: $(VENV)/installed-test
	$(BIN)/python -m pytest -q tests/cuda tests/dask/test_devices.py

# One process per test, JOBS of them side by side. racecheck warns of a kernel of CuPy's own. initcheck has to see
# those as well, or what they write looks unwritten. For a backtrace of the host the tool holds on to Python's frames,
# and with them to arrays on the device.
JOBS ?= 1
sanitized = $(BIN)/python -m pytest -q --collect-only tests/cuda | grep :: | xargs -d '\n' -n 1 -P $(JOBS) \
	compute-sanitizer --tool $(1) --show-backtrace device --error-exitcode 9 $(BIN)/python -m pytest -q -p no:cacheprovider

gpu-sanitize: $(VENV)/installed-test
	$(call sanitized,memcheck)
	$(call sanitized,initcheck)
	$(call sanitized,racecheck --kernel-name-exclude kernel_substring=cupy)

gpu-bench: $(VENV)/installed-test
	$(BIN)/python benchmarks/on_device.py --against-cpu 1e6
	$(BIN)/python benchmarks/on_device.py 11e6 100e6
	$(BIN)/python benchmarks/on_device.py --features 100 1e6
	$(BIN)/python benchmarks/on_device.py --tol 0.005 11e6
	$(BIN)/python benchmarks/device_rates.py 11e6 $(if $(DATA),--npz $(DATA)/covtype.npz)

MINUTES ?= $(if $(HOURS),$(shell expr $(HOURS) '*' 60),5)

torture: $(VENV)/installed-test
	PYTHONWARNINGS=ignore::UserWarning $(BIN)/python -m torture --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# The kernels are built beside the others, and found before them. Packages come from the environment, but not
# its editable install, which would win.
SANITIZED := build/sanitize
PACKAGES = $(shell $(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")
PRELOADED = $(foreach library,$(1) libstdc++.so,$(shell $(CXX) -print-file-name=$(library)))
under = PYTHONPATH="$(CURDIR)/$(SANITIZED)/$(1):$(PACKAGES)" LD_PRELOAD="$(call PRELOADED,$(2))" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 TSAN_OPTIONS="$(3)" OPENBLAS_NUM_THREADS=1 $(PYTHON)

sanitize: $(SANITIZED)/address/built $(SANITIZED)/thread/built
	$(call under,address,libasan.so) -m pytest -q -p no:cacheprovider tests/test_native.py tests/test_grid.py tests/learners
	PYTHONWARNINGS=ignore::UserWarning $(call under,address,libasan.so) -m torture proofs --seed 0 --count 100
	$(call under,thread,libtsan.so,ignore_noninstrumented_modules=1 halt_on_error=1) -m pytest -q -p no:cacheprovider tests/test_native.py

FLAGS_address := address,undefined
FLAGS_thread := thread

$(SANITIZED)/%/built: $(BUILD) $(VENV)/installed-test
	ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(SANITIZED)/$* \
		-Cbuild-dir=$(SANITIZED)/cmake-$* -Ccmake.define.FRANKBOOST_OPTIONS="-O1 -g -fsanitize=$(FLAGS_$*) -DFRANKBOOST_PLAIN" .
	touch $@

# The kernels are built beside the others, as for `sanitize`.
BITS := build/same-bits
SETS ?= banana breast-cancer diabetis heart thyroid titanic
FITS = benchmarks/same_fits.py "$(DATA)" --sets $(SETS)

same-bits: export PYTHONWARNINGS = ignore::UserWarning
same-bits: $(BITS)/plain/built $(BITS)/unoptimised/built
	$(BIN)/python $(FITS) --write $(BITS)/fits.json
	for threads in 2 3 4; do $(BIN)/python $(FITS) --compare $(BITS)/fits.json --threads $$threads || exit 1; done
	for kind in plain unoptimised; do PYTHONPATH="$(BITS)/$$kind:$(PACKAGES)" $(PYTHON) $(FITS) --compare $(BITS)/fits.json || exit 1; done

BUILT_plain := -O3 -DFRANKBOOST_PLAIN
BUILT_unoptimised := -O0 -DFRANKBOOST_PLAIN

$(BITS)/%/built: $(BUILD) $(VENV)/installed-test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --upgrade --target $(BITS)/$* \
		-Cbuild-dir=$(BITS)/cmake-$* -Ccmake.define.FRANKBOOST_OPTIONS="$(BUILT_$*)" .
	touch $@

lint: $(VENV)/installed-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run --Werror $(NATIVE) src/frankboost/cuda/*.cu

types: $(VENV)/installed-test
	$(BIN)/mypy

imports: $(VENV)/installed-test
	$(BIN)/lint-imports --no-cache

pytest: $(VENV)/installed-test
	$(BIN)/python -m pytest -q -n auto

format: $(VENV)/installed-test
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(NATIVE) src/frankboost/cuda/*.cu

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Editable: changes to Python files need no new install, changes to the kernels make one.
$(VENV)/installed: $(BUILD) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[cli]"
	touch $@

$(VENV)/installed-test: $(BUILD) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@ $(VENV)/installed

$(VENV)/installed-rivals: $(BUILD) $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[rivals]"
	touch $@

$(VENV)/installed-docs: $(BUILD) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) build docs/_figures docs/algorithms docs/api docs/gallery .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
