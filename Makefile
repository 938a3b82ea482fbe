# Quietzone: `make` lists what there is to make.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Seconds that `make fuzz` gives to each target.
SECONDS_EACH ?= 30

SWIFT_FOLDERS := Package.swift Sources Tests

.PHONY: help demo test test-faults bench-dispatch build release format lint check samples fuzz dependencies clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: # install the system packages that are missing
	@scripts/install-dependencies

demo: release ## install what is missing, build, read Samples/, show what was found
	@scripts/demo

test: ## install what is missing, build, run every test
	@scripts/install-dependencies --test
	@scripts/test-python
	@scripts/run-tests

test-faults: ## kill scan-outbox 200 times and cut its power 300 times: a few minutes
	@scripts/install-dependencies --test
	@scripts/test-python
	QUIETZONE_KILLS=200 QUIETZONE_CUTS=300 scripts/run-tests --filter 'KillTests|PowerCutTests'

bench-dispatch: dependencies ## measure the outbox against bare writes and a bare HTTP client
	swift build -c release --product dispatch-benchmark --static-swift-stdlib
	.build/release/dispatch-benchmark

build: dependencies ## build everything for debugging
	swift build --build-tests

release: dependencies ## build .build/release/decode-image
	scripts/build-release

format: ## format the Swift sources in place
	swift format --in-place --recursive --parallel $(SWIFT_FOLDERS)

lint: ## check the format, the imports and the files of the repository
	swift format lint --strict --recursive --parallel $(SWIFT_FOLDERS)
	scripts/check-imports
	scripts/check-files

samples: ## make the pictures of Samples/ again
	@scripts/install-dependencies --test
	Samples/make.py

fuzz: dependencies ## fuzz the codecs and the reader, SECONDS_EACH=30 each
	Tests/Fuzz/run $(SECONDS_EACH)

clean: ## remove what was built
	rm -rf .build .build-fuzz out
