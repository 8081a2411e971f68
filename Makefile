# The two commands of the project: `make run` and `make test`. Everything else is a part of them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test venv venv-dev lint clean

# Settings may be given here too: `make run PLAYGROUND_PORT=8090`.
run: venv
	$(BIN)/python bot.py

venv: $(VENV)/.made

venv-dev: $(VENV)/.made-dev

$(VENV)/.made: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12" >&2; exit 1; }
	@echo "Installing what the bot needs into $(VENV): about a minute, once."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.made-dev: $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

test: venv-dev
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: venv-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
