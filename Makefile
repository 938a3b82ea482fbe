# Quietzone: `make` lists what there is to make.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Seconds that `make fuzz` gives to each target.
SECONDS_EACH ?= 30

SWIFT_FOLDERS := Package.swift Sources Tests bench/Sources bench/Tests

# Pictures that tests read too where they are there; no part of the repository.
CORPUS ?= ../shared/corpus/images

# A part of the names of tests, files or suites; all tests unless it is given.
ONLY ?=

# The release on whose bare system `make deb` builds, such as noble; this system unless one is named.
ON ?=
# The release that `make test-deb` installs on.
RELEASE ?= $(or $(ON),bookworm)

# What `make bench`, `make scenes` and `make test-browser` hand on: make bench ARGS="--opencv --rounds 9".
ARGS ?=

.PHONY: help demo station test test-library python test-c test-memory test-gstreamer test-spark test-ray test-slow scenes vulnerabilities test-documents test-long test-faults test-crashes test-torture proof test-differential test-confidence test-pictures test-smuggling test-webhooks test-gs1 test-restore test-watch test-devices test-history test-run test-arm64 test-vm test-bluetooth test-keyboard test-browser limits build release deb test-deb test-desktop test-cameras test-kiosk test-system release-archive test-archive rpm test-rpm test-container format lint check \
	samples docs fuzz bench bench-docs gate gate-instructions gate-symbols gate-update test-bench screenshots bench-dispatch bench-watch dependencies clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dependencies: # install the system packages that are missing
	@scripts/install-dependencies

demo: dependencies ## install what is missing, build, read Samples/, show what was found
	scripts/build-release decode-image decode-camera
	@scripts/demo

station: dependencies ## install what is missing, build, open a scanning station that plays Samples/ as its camera
	scripts/build-release scan-station
	.build/release/scan-station --replay Samples/

test: ## install what is missing, build, run every test, or those that ONLY matches: make test ONLY=Aztec
	@scripts/install-dependencies --test
	@scripts/test-python
	@scripts/run-tests $(if $(ONLY),--filter '$(ONLY)')

test-library: dependencies ## build README's Swift example in a package of its own, with the decoder alone
	scripts/test-library

test-slow: dependencies ## draw and decode many pictures and scenes, with and without a symbol; what capturing and starting cost
	scripts/build-release optimized-trials
	.build/release/optimized-trials negatives
	.build/release/optimized-trials grid
	.build/release/optimized-trials efforts Samples $(wildcard $(CORPUS))
	.build/release/optimized-trials cameras Samples/qr.png
	scripts/build-release decode-image
	QUIETZONE_PROGRAMS=.build/release scripts/run-tests --filter SpeedTests
	@scripts/install-dependencies --test
	scripts/test-scenes

scenes: ## draw 2,000 scenes with codes and read them, beside peers: make scenes ARGS="--seed 2 --keep FOLDER"
	@scripts/install-dependencies --test
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release decode-image)
	scripts/test-scenes --peers $(ARGS)

test-documents: ## run the commands of the guides and compare what they print
	@scripts/install-dependencies --test
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release decode-image decode-camera quietzone-server)
	scripts/build-c-library
	scripts/test-documents

test-long: demo python docs test-c test-documents fuzz test-slow test-library test-bench test-arm64 test-vm test-browser test-faults test-crashes test-torture test-differential test-confidence test-pictures test-smuggling test-webhooks test-restore test-watch test-devices test-history test-run test-desktop test-cameras test-gstreamer test-deb test-kiosk test-archive test-rpm test-container test-system test-bluetooth test-keyboard ## what takes long: random input, kills, power cuts, damage, floods, installed packages

test-vm: dependencies ## read codes from the kernel's own camera, scan guns and scale, in a machine that qemu plays
	scripts/test-vm

test-arm64: ## build the programs for arm64 by Debian's Swift, run them under qemu-user; needs root, 7 GB and 25 minutes
	@scripts/install-dependencies --arm64
	scripts/build-release decode-image
	scripts/test-arm64

test-keyboard: dependencies ## read back 10,000 codes that a destination types, in a machine that qemu plays
	scripts/test-vm keyboard

test-bluetooth: dependencies ## read scan guns, scales and a sensor over Bluetooth by the real bluetoothd, in that machine
	scripts/test-vm bluetooth

test-browser: dependencies ## try scan-station in a headless Chromium: its page, the bridge, its safety, load
	@scripts/install-dependencies --browser
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-station)
	$(if $(CI),,QUIETZONE_SCREENSHOTS=1) scripts/test-browser $(ARGS)

screenshots: dependencies ## take the picture of the station's page that the documentation shows anew
	@scripts/install-dependencies --browser
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-station)
	QUIETZONE_SCREENSHOTS=1 scripts/test-browser test_layout
	cp out/screenshots/layout-1366x768-light.png docs/scan-station.png

test-run: dependencies ## scan 5,000 codes in a row in a headless Chromium: memory flat in page and station; about two minutes
	@scripts/install-dependencies --browser
	scripts/build-release scan-station
	QUIETZONE_RUN=5000 scripts/test-browser test_run

python: ## build the wheel of the Python package, read Samples/ with it in a clean environment, test it
	@scripts/install-dependencies --test
	scripts/build-release decode-image
	scripts/test-wheel

test-c: dependencies ## build the C library, call it from C, C++ and Rust, check its exported functions
	@scripts/install-dependencies --test
	scripts/build-release decode-image
	scripts/test-c-library

test-gstreamer: ## build the GStreamer element quietzonedec, read pictures and video with it by gst-launch-1.0
	@scripts/install-dependencies --gstreamer
	scripts/build-c-library
	scripts/test-gstreamer

test-spark: ## decode on a cluster of Spark on this machine; installs Spark (450 MB), and Java where it is missing
	@scripts/install-dependencies --test
	scripts/build-release decode-image
	scripts/test-spark

test-ray: ## decode by Ray on this machine; installs Ray (250 MB)
	@scripts/install-dependencies --test
	scripts/build-release decode-image
	scripts/test-ray

limits: dependencies ## measure the table of docs/reference/limits.md
	@scripts/build-release optimized-trials >&2
	@.build/release/optimized-trials limits

test-faults: release ## kill scan-outbox 200 times, cut its power 300 times, damage 300 outboxes: a few minutes
	@scripts/install-dependencies --test
	@scripts/test-python
	QUIETZONE_PROGRAMS=.build/release QUIETZONE_KILLS=200 QUIETZONE_CUTS=300 QUIETZONE_DAMAGES=300 \
		scripts/run-tests --filter 'KillTests|PowerCutTests|DamageTests'

test-memory: ## run the tests with the compiler's sanitizer for memory errors: half an hour
	@scripts/install-dependencies --test
	scripts/test-memory

proof: dependencies ## run the tests behind docs/reliability.md and print what came of each: hours; PARTS="faults torture" for some
	@scripts/prove $(PARTS)

test-differential: ## draw and damage 10,000 symbols and compare what is read with what was drawn, beside zxing-cpp; ARGS="--count 100000"
	@scripts/install-dependencies --test
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release decode-image)
	scripts/test-scenes differential $(ARGS)

test-confidence: ## compare the confidence of drawn and damaged symbols with the share of right ones; ARGS="--symbols 40000"
	@scripts/install-dependencies --test
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release decode-image)
	scripts/test-scenes confidence $(ARGS)

test-pictures: ## compare decoded pictures of all kinds, and 5,000 damaged ones, with those of Pillow; ARGS="--mutations 50000"
	@scripts/install-dependencies --test
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release decode-image)
	scripts/test-scenes pictures $(ARGS)

test-smuggling: dependencies ## send a station requests that two HTTP parsers could read differently
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-station)
	Tests/Reliability/smuggling.py

test-restore: dependencies ## restore backups of outboxes in use elsewhere: nothing in them may be lost; ARGS="--rounds 100" for more
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-outbox decode-image)
	Tests/Reliability/restore.py $(ARGS)

test-gs1: dependencies ## compare GS1 messages with GS1's syntax engine: make test-gs1 ARGS="--repository CLONE"
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-outbox)
	Tests/Reliability/gs1.py $(ARGS)

test-webhooks: dependencies ## verify the signatures of deliveries by the library of Standard Webhooks for Python, and by Perl
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-outbox)
	@scripts/test-python
	.build/python/bin/python3 -B Tests/Reliability/webhooks.py $(ARGS)

test-crashes: dependencies ## open 10,000 states that a power cut can leave of an outbox; ARGS="--states 2000" for fewer
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-outbox decode-image)
	Tests/Reliability/crashes.py $(ARGS)

vulnerabilities: ## list the known vulnerabilities of the packages that the last build took and of the system's libraries
	scripts/list-vulnerabilities $(ARGS)

test-torture: dependencies ## fail each call of the C library by the programs, and each allocation of a worker, once; ARGS="--every 20" for fewer
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-release scan-outbox scan-station watch-folder decode-image)
	Tests/Reliability/torture.py $(ARGS)

test-watch: release ## kill watch-folder 20 times while 2,000 files arrive, and flood it: a few minutes
	@scripts/install-dependencies --test
	QUIETZONE_PROGRAMS=.build/release QUIETZONE_WATCH_KILLS=20 QUIETZONE_WATCH_FILES=2000 \
		QUIETZONE_WATCH_FLOOD=20000 scripts/run-tests --filter 'KillRecoveryTests|FloodTests|SplitProgramTests'

test-devices: release ## 10,000 scans, 1,000 unplugs and 20 kills of scan-devices, at serial ports and in the virtual machine
	Tests/Trials/device-trials/run
	@scripts/install-dependencies --test
	QUIETZONE_PROGRAMS=.build/release QUIETZONE_DEVICE_FLOOD=64 scripts/run-tests --filter InvalidDeviceInputTests
	QUIETZONE_VM_SCANS=1700 QUIETZONE_VM_UNPLUGS=500 scripts/test-vm devices

test-history: dependencies ## search a history of a million events: a few minutes
	QUIETZONE_HISTORY=1000000 scripts/run-tests --filter LargeHistoryTests

bench-watch: release ## measure what watch-folder adds to the decoding of a picture
	Tests/Trials/watch-benchmark/run

bench-dispatch: dependencies ## measure the outbox against bare writes and a bare HTTP client
	scripts/build-release optimized-trials
	.build/release/optimized-trials dispatch

build: dependencies ## build everything for debugging
	scripts/build-debug

release: dependencies ## build all programs in .build/release
	scripts/build-release

deb: dependencies ## build the Debian packages of this system in out/deb, or ON=noble those of another in out/noble/deb, as root
	$(if $(ON),scripts/on-release $(ON)) scripts/build-deb

test-deb: deb ## install the packages on a bare system, RELEASE=trixie for another than Debian 12; needs root
	scripts/test-deb $(RELEASE) $(if $(ON),out/$(ON)/deb)

test-system: deb ## install the packages in a machine with systemd that qemu plays: kills, a power cut, an upgrade; needs root
	scripts/test-system

test-kiosk: deb ## run the commands of the kiosk's unit on a screen that is played: Chromium shows the station's page; needs root
	scripts/test-kiosk

rpm: dependencies ## build the rpm package from the archive of the release in out/rpm
	scripts/build-rpm

test-rpm: dependencies ## build the rpm package, install, update and remove it on a bare system; needs root
	scripts/test-rpm

test-container: deb ## take the steps of Containerfile and run its programs with a read-only root; needs root
	scripts/test-container

release-archive: dependencies ## pack programs, libraries, contents and checksums for Debian 12 and newer in out/release
	scripts/build-archive

test-archive: dependencies ## pack the archive twice and read codes with it on a bare system; needs root
	scripts/test-archive

test-desktop: ## read codes from the clipboard and the screen of a desktop that is played; copy and show them
	scripts/build-release decode-image
	scripts/build-release scan-station
	scripts/test-desktop

test-cameras: ## read codes from commands and network cameras by ffmpeg and GStreamer; RTSP that is cut off and comes back
	scripts/build-release decode-camera
	scripts/build-release scan-station
	scripts/test-cameras

format: ## format the Swift sources in place
	swift format --in-place --recursive --parallel $(SWIFT_FOLDERS)

lint: ## check the format, the imports and the files of the repository
	swift format lint --strict --recursive --parallel $(SWIFT_FOLDERS)
	scripts/check-imports
	scripts/update-embedded-files --check
	scripts/check-files

docs: dependencies ## document the libraries in out/docs; a warning of DocC is an error
	@scripts/build-docs

samples: ## make the pictures of Samples/ again
	@scripts/install-dependencies --test
	Samples/make.py

fuzz: dependencies ## fuzz codecs, readers and parsers, SECONDS_EACH=30 each
	Tests/Fuzz/run $(SECONDS_EACH)

bench: dependencies ## measure speed and detection, beside peers; ARGS="--help" lists the options
	@scripts/install-dependencies --test
	scripts/build-release decode-image bench
	.build/release/bench --install-peers $(ARGS)

bench-docs: dependencies ## measure for README.md and docs/speed.md with the whole corpus, on a machine that does nothing else
	@scripts/install-dependencies --test
	scripts/build-release decode-image bench
	.build/release/bench --install-peers --corpus --out out/bench-docs
	.build/release/bench readme out/bench-docs/results.json

gate: gate-instructions gate-symbols ## count instructions and symbols read, and fail if they got worse; gate-update writes down the instructions

gate-instructions: dependencies # the instructions alone
	@scripts/install-dependencies --test
	QUIETZONE_BENCHMARK=1 scripts/build-debug --product bench
	.build/debug/bench gate

gate-symbols: dependencies # the symbols alone
	@scripts/install-dependencies --test
	$(if $(QUIETZONE_PROGRAMS),,scripts/build-debug --product decode-image)
	QUIETZONE_PROGRAMS=$(or $(QUIETZONE_PROGRAMS),.build/debug) scripts/test-scenes gate

gate-update: dependencies # write the instruction counts down as the new ones
	@scripts/install-dependencies --test
	QUIETZONE_BENCHMARK=1 scripts/build-debug --product bench
	.build/debug/bench gate --update

test-bench: dependencies ## test the benchmark itself
	@scripts/install-dependencies --test
	scripts/build-release decode-image bench
	QUIETZONE_BENCHMARK=1 scripts/run-tests --filter '^BenchTests[.]'

clean: ## remove what was built
	rm -rf .build .build-* bench/.venv out
