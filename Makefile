# Everything on a machine with only Python (3.11+) and make:
#   make demo    the main job on the examples
#   make test    lint, format check, strict types, all tests
#   make docs    the documentation site, in build/site
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The peers of the benchmarks want other versions than the tests.
BENCH := .venv-bench
# So does LiteLLM's proxy, which some tests run as its users do.
GATEWAY := .venv-gateway
BUILT_OF := pyproject.toml hatch_build.py src/wiremend/projection/_ordinary.c

.PHONY: demo test docs bench gateway clean

demo: $(VENV)/.demo
	$(BIN)/wiremend demo
	@echo; echo '$$ wiremend check examples/anthropic-broken.json'
	-@$(BIN)/wiremend check examples/anthropic-broken.json
	@echo; echo '$$ wiremend fix --diff examples/anthropic-broken.json'
	@$(BIN)/wiremend fix --diff examples/anthropic-broken.json

test: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

# What is skipped elsewhere for want of it may not be skipped in CI.
ifeq ($(CI),true)
test: gateway
endif

docs: $(VENV)/.test
	$(BIN)/mkdocs build --strict

bench: $(BENCH)/.bench
	$(BENCH)/bin/python -m benchmarks.run
	$(BENCH)/bin/python -m benchmarks.sessions
	$(BENCH)/bin/python -m benchmarks.files
	$(BENCH)/bin/python -m benchmarks.repairs

gateway: $(GATEWAY)/.gateway

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BUILT_OF) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cli]'
	@touch $@

$(VENV)/.test: $(BUILT_OF) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cli,docs,test]'
	@touch $@ $(VENV)/.demo

$(BENCH)/.bench: $(BUILT_OF)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[cli,bench]'
	@touch $@

$(GATEWAY)/.gateway: tests/integrations/litellm-proxy.txt
	$(PYTHON) -m venv $(GATEWAY)
	$(GATEWAY)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

clean:
	rm -rf $(VENV) $(BENCH) $(GATEWAY) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
