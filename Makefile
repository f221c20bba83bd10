# Two commands: `make demo` and `make test`. Each does all its set-up; neither needs root.
# Everything is installed into .venv, which `make clean` removes.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo explore test check bench clean

demo: .venv/installed
	$(BIN)/ponder search connect4 --moves "4 4 4 4 4 2" --seconds 3 --hints
	@$(BIN)/ponder cache --fill >/dev/null 2>&1 </dev/null &
	@echo
	@echo "The other games are compiled in the background now, at low priority: ponder cache --fill"
	@echo "To watch, steer and rewind a search in the browser: make explore"
	@echo "To type the commands above as they stand: source .venv/bin/activate (or .venv/bin/ponder for ponder)"

explore: .venv/installed
	$(BIN)/ponder explore

test: .venv/installed-dev check
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not plain"
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 --dist worksteal -m plain

check: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/installed-dev
	$(BIN)/ponder bench --against openspiel

.venv/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ponder needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	touch $@

.venv/installed: .venv/python pyproject.toml constraints.txt
	@echo "setting up .venv (once)"
	$(PIP) --editable .
	touch $@

.venv/installed-dev: .venv/installed
	@echo "adding the test tools to .venv (once)"
	$(PIP) --editable '.[dev]'
	touch $@

clean:
	rm -rf .venv
