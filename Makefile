# Every target makes its own environment when it is missing: Python 3.11+, make, gcc and a package index are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test test-all dist-test lint bench docs lock clean

demo: $(READY)  ## a train crosses a bridge: animation, figures and report in demo-output/
	$(BIN)/python -m traction.app.demo --out demo-output

# Many tests start Python anew: its bytecode is kept for them whatever the environment says.
test test-all: export PYTHONDONTWRITEBYTECODE =

test: lint  ## lint, types, layers and the fast tests
	$(BIN)/python -m pytest -n auto --dist worksteal

test-all: lint docs  ## everything: slow tests, many more random cases, the documentation
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n auto --dist worksteal -m "slow or not slow"

dist-test: $(READY)  ## build sdist and wheel, install the wheel in an empty environment and try it there
	$(BIN)/python tools/try_distribution.py

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## every figure of the README: accuracy, the machine, times in ms and in pairs, beside other programs
	$(BIN)/traction verify
	$(BIN)/python benchmarks/pairs.py
	for file in benchmarks/bench_*.py; do $(BIN)/python $$file || exit 1; done

docs: $(READY)  ## HTML in docs/_build/html, warnings are errors
	$(BIN)/sphinx-build -W --keep-going -q -j auto -b html docs docs/_build/html
	$(BIN)/python tools/check_pages.py docs/_build/html
	@echo "open docs/_build/html/index.html"

lock: $(READY)  ## choose new versions for requirements.lock, with the hashes of their files
	$(BIN)/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --extra dev --extra docs --extra plot --extra data --extra fem --extra studio --no-header \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	  --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) demo-output docs/_build docs/gallery docs/howto docs/tutorial benchmarks/output

$(READY): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; say which, as in: make PYTHON=python3.12 test"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)
