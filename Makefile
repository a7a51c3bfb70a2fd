# A bare `make` lists the commands. Each does its own set-up in .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
STAY ?= 1

.PHONY: help demo serve test lint docs picture clean python
.DEFAULT_GOAL := help

help: ## list these commands
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-14s %s\n", $$1, $$2}'

demo: $(VENV)/installed ## the whole system with a survey that 6,366 people answered; STAY=0 ends after its table
	@$(RUN) manage.py demo $(if $(filter 0,$(STAY)),--no-stay)

serve: $(VENV)/installed ## the whole system, with its data in var/, at http://127.0.0.1:8000
	@$(RUN) manage.py serve

test: lint ## every test: on PostgreSQL, Redis and Chromium, then those of the database again on SQLite
	@$(RUN) -m tests.services.machine
	$(RUN) -m pytest
	$(RUN) -m pytest -m database --database sqlite

lint: $(VENV)/installed-dev ## style of the Python code and types of the mathematics
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy

docs: $(VENV)/installed ## write docs/data-flow.md anew from the code
	$(RUN) -m docs.data_flow

picture: $(VENV)/installed-dev ## write the README's pictures anew from a new demo
	@$(RUN) -m tests.services.machine
	$(RUN) -m docs.picture

clean: ## remove the virtual environment and the caches; the data in var/ stay
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

# The stamps are newer than the requirements they installed.
$(VENV)/installed: requirements.txt | $(VENV)/bin/python
	@echo "Installing the packages of requirements.txt"
	@$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements-dev.txt $(VENV)/installed
	@echo "Installing the packages of requirements-dev.txt"
	@$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

$(VENV)/bin/python: | python
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# What must be there before the virtual environment can be made.
python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "Python 3.11 or newer is needed. On Debian: apt-get install python3 python3-venv ca-certificates"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed, and $(PYTHON) is older. Name another one: make demo PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	@[ ! -e /etc/debian_version ] || [ -n "$$SSL_CERT_FILE$$PIP_CERT" ] || [ -e /etc/ssl/certs/ca-certificates.crt ] || { \
	  echo "The certificates to reach the package index are missing. On Debian: apt-get install ca-certificates"; exit 1; }
