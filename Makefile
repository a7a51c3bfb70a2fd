# `make` alone lists the commands. A command installs what it needs into .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
STAY ?= 1
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
PARALLEL := --numprocesses auto --dist loadfile --no-loadscope-reorder
# One process collects every test while lint runs; the parallel processes then find the compiled files.
ON_SQLITE := -m "database and not alike" --database sqlite
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' surveys/__init__.py)
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes

.PHONY: help demo serve test test-quick test-long test-install test-containers test-pythons slow lint docs messages translations styles picture licences release archive \
  audit requirements clean python
.DEFAULT_GOAL := help

help: ## list the commands
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-20s %s\n", $$1, $$2}'

demo: $(VENV)/installed-demo ## run the whole system with a survey of 6,366 people; PEOPLE=anes96: another survey of 944; STAY=0: stop after the table
	@$(RUN) manage.py demo $(if $(filter 0,$(STAY)),--no-stay) $(if $(FRESH),--fresh) $(if $(PEOPLE),--people $(PEOPLE))

serve: $(VENV)/installed ## run the whole system at http://127.0.0.1:8000, with its data in var/site; SITE=8002 for another
	@$(RUN) manage.py serve

# The tests use every core: threads of numpy would only wait.
test test-quick test-long: export OMP_NUM_THREADS = 1

test: $(VENV)/installed-dev ## run lint and every test, with PostgreSQL, Redis and browsers; also run the database tests on SQLite
	@$(RUN) -m tests.services.machine
	@printed=$$(mktemp); $(RUN) -m pytest $(ON_SQLITE) >$$printed 2>&1 & sqlite=$$!; \
	  $(MAKE) --no-print-directory lint || { kill $$sqlite; rm $$printed; exit 1; }; \
	  $(RUN) -m pytest $(PARALLEL); status=$$?; \
	  wait $$sqlite || status=1; echo "On SQLite:"; cat $$printed; rm $$printed; exit $$status

test-quick: lint ## run the fast two thirds of the tests, for daily work: no complete system, no browser
	@$(RUN) -m tests.services.machine
	$(RUN) -m pytest $(PARALLEL) -m "not system and not browser and not slow and not statistical"

test-pythons: ## run the quick tests with each installed Python from 3.11 to 3.14, in .venv-3.11 …; PYTHONS="/path/to/python …"
	@status=0; for python in $(PYTHONS); do \
	  version=$$($$python -c 'import ensurepip, sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || \
	    { echo "$$python: not on this machine"; continue; }; \
	  echo "Python $$version"; \
	  $(MAKE) --no-print-directory test-quick VENV=.venv-$$version PYTHON=$$python || status=1; done; exit $$status

slow: $(VENV)/installed-dev ## update the list of tests that are too slow for test-quick
	$(RUN) -m pytest -p tests.support.slow -q -m "not system and not browser and not statistical"

test-long: lint ## run the statistical tests at full length and the long tests, and as root test-install and test-containers: hours
	@$(RUN) -m tests.services.machine
	$(RUN) -m pytest $(PARALLEL) -m "statistical or long or release" --long --release
	@[ "$$(id -u)" != 0 ] || $(MAKE) test-install test-containers

test-install: $(VENV)/installed-dev ## as root, test docs/deploy/install.sh on a bare Debian 12 and 13, install to uninstall: 15 minutes each
	@command -v systemd-nspawn >/dev/null && command -v debootstrap >/dev/null || \
	  $(RUN) -m tests.services.apt install systemd-container debootstrap
	$(RUN) -m tests.deployment.machine

test-containers: $(VENV)/installed-dev ## as root, run and upgrade the containers of docs/deploy/compose.yaml, without a registry
	@command -v buildah >/dev/null && command -v debootstrap >/dev/null || \
	  $(RUN) -m tests.services.apt install buildah debootstrap
	$(RUN) -m tests.deployment.containers

lint: $(VENV)/installed-dev ## check the style of all code and the types of the Python code
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy
	$(VENV)/bin/oxlint surveys/static

docs: $(VENV)/installed-dev ## generate the data flow, the columns and the conformance report from code and tests
	$(RUN) -m tests.documents.data_flow
	$(RUN) -m tests.documents.columns
	$(RUN) -m tests.documents.conformance

messages: $(VENV)/installed ## add new texts of pages to the catalogs of surveys/locale and compile them; needs gettext
	cd surveys && ../$(RUN) ../manage.py makemessages --all --no-obsolete --no-wrap --add-location file
	@for catalog in surveys/locale/*/LC_MESSAGES/django.po; do msgcat --width 99999 -o $$catalog $$catalog; done # --no-wrap still wraps references
	cd surveys && ../$(RUN) ../manage.py compilemessages

translations: $(VENV)/installed-dev ## list the texts without a translation; a release needs all translations; needs gettext
	$(RUN) -m pytest tests/house/test_messages.py -q --release -m release

styles: $(VENV)/installed ## write the colours of surveys/figures/palette.py into the style sheets
	$(RUN) -m surveys.figures.styles

picture: $(VENV)/installed-dev ## make the pictures of README and tutorial from a new demo
	@$(RUN) -m tests.services.machine
	$(RUN) -m tests.documents.picture
	$(RUN) -m tests.documents.tutorial

clean: ## remove the virtual environments and the caches, but keep the data in var/
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

release: translations archive ## make the archive of this commit if no translation is missing
	@echo "Tag it: git tag v$(VERSION) $$(git rev-parse HEAD)"

archive: ## make dist/deniable-VERSION.tar.gz of this commit with the page's manifest; the bytes are reproducible
	@git diff --quiet HEAD || { echo "An archive holds one commit: commit your changes first."; exit 1; }
	@mkdir -p dist
	@$(PYTHON) surveys/transparency/check/manifest_file.py >dist/manifest.json
	@$(PYTHON) surveys/transparency/check/manifest_file.py --release >dist/release.json
	@git archive --prefix=deniable-$(VERSION)/ --add-file=dist/manifest.json --add-file=dist/release.json HEAD | gzip -n -9 >dist/deniable-$(VERSION).tar.gz
	@cd dist && sha256sum deniable-$(VERSION).tar.gz

licences: $(VENV)/installed-formats ## list the licences of a site's packages
	@$(RUN) -m tests.documents.licences

audit: .venv-audit/installed ## list the known vulnerabilities of a site's packages from PyPI; fails if PyPI does not answer
	@.venv-audit/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r requirements.txt -r requirements-formats.txt

requirements: $(VENV)/installed ## pin the packages of the *.in files and their dependencies, with the hash of every file
	$(RUN) -m pip install --quiet --disable-pip-version-check uv==0.13.9
	$(PIN) requirements.in -o requirements.txt
	$(PIN) requirements.in requirements-formats.in $$($(call given,requirements.txt)) -o requirements-formats.txt
	$(PIN) --no-deps requirements-demo.in -o requirements-demo.txt
	$(PIN) requirements.in requirements-formats.in requirements-demo.in requirements-dev.in \
	  $$($(call given,requirements.txt requirements-formats.txt requirements-demo.txt)) -o requirements-dev.txt

# One set of versions for every Python from 3.11; a file omits the packages of the files before it.
PIN = $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
  --custom-compile-command "make requirements"
given = sed -nE 's/^([a-z0-9.-]+)==.*/--no-emit-package \1/p' $(1)

# Stamp files: if requirements are newer than their stamp, make installs them again.
$(VENV)/installed: requirements.txt | $(VENV)/bin/python
	@echo "Installing the packages of requirements.txt"
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/installed-formats: requirements-formats.txt $(VENV)/installed
	@echo "Installing the packages of requirements-formats.txt"
	@$(PIP) -r requirements-formats.txt
	@touch $@

$(VENV)/installed-demo: requirements-demo.txt $(VENV)/installed
	@echo "Installing the packages of requirements-demo.txt"
	@$(PIP) --no-deps -r requirements-demo.txt
	@touch $@

$(VENV)/installed-dev: requirements-dev.txt $(VENV)/installed-formats $(VENV)/installed-demo
	@echo "Installing the packages of requirements-dev.txt"
	@$(PIP) -r requirements-dev.txt
	@touch $@

.venv-audit/installed: | python
	@$(PYTHON) -m venv .venv-audit
	@.venv-audit/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	@touch $@

$(VENV)/bin/python: | python
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# Check what a new virtual environment needs.
python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "Python 3.11 or newer is needed. On Debian: apt-get install python3 python3-venv ca-certificates"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed, and $(PYTHON) is older. Name another one: make demo PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing. On Debian: apt-get install python3-venv"; exit 1; }
	@[ ! -e /etc/debian_version ] || [ -n "$$SSL_CERT_FILE$$PIP_CERT" ] || [ -e /etc/ssl/certs/ca-certificates.crt ] || { \
	  echo "The certificates to reach the package index are missing. On Debian: apt-get install ca-certificates"; exit 1; }
