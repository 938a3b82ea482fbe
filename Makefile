# Quietzone: `make` lists what there is to make.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Seconds that `make fuzz` gives to each target.
SECONDS_EACH ?= 30

SWIFT_FOLDERS := Package.swift Sources Tests

.PHONY: help demo test test-slow test-vm limits build release format lint check samples fuzz dependencies clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: # install the system packages that are missing
	@scripts/install-dependencies

demo: release ## install what is missing, build, read Samples/, show what was found
	@scripts/demo

test: ## install what is missing, build, run every test
	@scripts/install-dependencies --test
	@scripts/run-tests

test-slow: dependencies ## draw and decode many pictures, with and without a symbol; what capturing costs
	swift build -c release --product decoding-trials --static-swift-stdlib
	.build/release/decoding-trials negatives
	.build/release/decoding-trials grid
	swift build -c release --product camera-trials --static-swift-stdlib
	.build/release/camera-trials Samples/qr.png

test-vm: dependencies ## read codes from the kernel's own test camera, in a machine that qemu plays
	scripts/test-vm

limits: dependencies ## measure the table of docs/limits.md
	@swift build -c release --product decoding-trials --static-swift-stdlib >&2
	@.build/release/decoding-trials limits

build: dependencies ## build everything for debugging
	swift build --build-tests

release: dependencies ## build .build/release/decode-image and decode-camera
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
