# Touchstone. The two targets to know: `make run` and `make test`.

CARGO ?= cargo
DIST := dist
# The scripts read CARGO from the environment and quote it, because make would split a
# path with spaces into several words.
export CARGO
unexport CDPATH
# Tests that need the release profile. With the packages of `dist`, cargo chooses the same features of
# all dependencies, and compiles nothing of `dist` again.
RELEASE_TESTS := $(CARGO) test --quiet --release --workspace --exclude xtask
ADAPTERS := $(patsubst lab/adapters/%/adapter.toml,%,$(wildcard lab/adapters/*/adapter.toml))

.PHONY: run test trust dist lab toolchain peers roots set-up check documentation tasks fuzz-check features features-all small crates adoption unit kernels history-scale serve-load archive-s3 contrib campaign-test libcrypt-clients crypt-answers constant-time secrets long-messages adding strongbox-faults strongbox-speed container python fuzz fuzz-count clean help

## run: set up, build (some minutes), measure this machine (about 6), write the report
run: peers lab
	@$(DIST)/bin/touchstone run $(value ARGS) || [ $$? -eq 3 ]

# Checks the version of Rust before anything is installed or built.
toolchain:
	@tools/toolchain.sh

## test: run everything that CI runs
test: check features crates set-up dist unit kernels constant-time secrets

## trust: check the lab against itself and other benchmarks (25 minutes, on an idle machine)
trust: peers dist
	@$(CARGO) build --quiet --release --package touchstone-worker --example planted
	@folder=$$(mktemp -d) && BENCH_SLOPE=$$(tools/bench-slope.sh "$$folder") \
		TOUCHSTONE_DIST="$$PWD/$(DIST)" $(CARGO) test --quiet --release \
		--package touchstone-lab --test trust -- --include-ignored --nocapture \
		--test-threads 1; code=$$?; rm -rf "$$folder"; exit $$code

## dist: fill dist/ with bin, lib and include
dist: toolchain
	@tools/dist.sh $(DIST) $(ADAPTERS)

# The part of dist that measuring needs, for a shorter build.
lab: toolchain
	@tools/dist.sh --lab $(DIST) $(ADAPTERS)

## peers: install the peer libraries where that is allowed
peers: toolchain
	@tools/peers.sh

## roots: fill roots/SUITE with another release's libraries, for run --root roots/SUITE
roots:
	@tools/roots.sh "$(SUITE)"

# Checks formatting, lints, documentation and the order of imports. Uses the profile of
# `dist`, so that C code which dependencies' build scripts compile is built only once for
# both.
check: toolchain
	@$(CARGO) fmt --all --check
	@$(CARGO) fmt --manifest-path crates/touchstone-python/Cargo.toml --check
	@$(CARGO) clippy --quiet --release --workspace --all-targets --all-features -- -D warnings
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target documentation tasks fuzz-check
	@if command -v shellcheck >/dev/null; then shellcheck -x tools/*.sh contrib/*.sh contrib/container/*.sh .ci/run \
		lab/adapters/java/touchstone-adapter-java; \
	else echo "SKIPPED: shellcheck is not installed"; fi
	@tools/deny.sh

# Parts of check. Each takes one processor for the most part and has a target folder of its own,
# so two of them run at the same time.
documentation:
	@RUSTDOCFLAGS="-D warnings" $(CARGO) doc --quiet --release --workspace --no-deps --all-features

tasks:
	@$(CARGO) xtask check

fuzz-check:
	@tools/fuzz.sh --check

## features: check the library with each family and each mode alone: half of them each day (2 minutes)
features:
	@tools/features.sh

## features-all: all of them, and each family with the traits of RustCrypto (6 minutes)
features-all:
	@tools/features.sh all

## small: build dist/small/libtouchstone.a with the families and modes in FEATURES alone
small: toolchain
	@mkdir -p $(DIST)/small
	@tools/small.sh "$(FEATURES)" $(DIST)/small/libtouchstone.a

## crates: pack the crates that can be published and build them, also with the oldest Rust
crates: toolchain
	@tools/crates.sh

## adoption: change zip and keepass over to the library, and run their tests (fetches them)
adoption: toolchain
	@tools/adoption.sh

unit:
	@TOUCHSTONE_DIST="$$PWD/$(DIST)" tools/unit.sh

## history-scale: write a year of nightly runs of 40 machines, and time histories (minutes, gigabytes)
history-scale:
	@$(CARGO) test --quiet --release --package touchstone-lab --test scale -- --include-ignored \
		--nocapture --test-threads 1

## serve-load: let 50 readers read the pages of `touchstone serve`, and time the pages
serve-load:
	@$(CARGO) build --quiet --release --package touchstone-worker --example planted
	@$(CARGO) test --quiet --release --package touchstone-lab --test serve -- --include-ignored \
		--nocapture fifty_readers

## archive-s3: move samples to a local server of the S3 kind and back (PyPI's moto; some minutes)
archive-s3:
	@tools/test-archive-s3.sh

## campaign-test: a campaign by Slurm and ssh on this machine, with a dead node, a full disk and a
## restarted controller (as root; Debian's slurmctld, slurmd, slurmdbd, slurm-client, munge,
## mariadb-server, openssh-server; some minutes)
campaign-test:
	@$(CARGO) build --quiet --release --package touchstone-worker --example planted
	@$(CARGO) test --quiet --release --package touchstone-lab --test campaign -- \
		--include-ignored --nocapture --test-threads 1

## contrib: let contrib/slower.sh tell a planted slowdown of 3 % from one of 0.5 % (minutes)
contrib:
	@$(CARGO) build --quiet --release --package touchstone-worker --example planted
	@$(CARGO) test --quiet --release --package touchstone-lab --test contrib -- --include-ignored \
		--nocapture --test-threads 1

## set-up: test the build scripts in paths and with settings that have broken them before
set-up:
	@tools/test-set-up.sh

## libcrypt-clients: run the long tests of libcrypt; as root, also test logins by PAM and su
libcrypt-clients:
	@$(CARGO) test --package touchstone-libcrypt -- --ignored --nocapture

## crypt-answers: fetch the tests of libxcrypt and Passlib and run them with libcrypt
crypt-answers:
	@$(CARGO) test --package touchstone-libcrypt others -- --ignored --nocapture

## kernels: compare each kernel with the portable form, and look at the registers that calls leave, as
## the release profile compiles them
kernels:
	@$(RELEASE_TESTS) --test kernels --test registers

## constant-time: check that secrets decide no branch and no address (docs/algorithms.md),
## and that a call by name costs little more than one by type
constant-time:
	@$(RELEASE_TESTS) --test constant_time --test call_cost -- --nocapture

## secrets: search memory for what calls have left of secrets (SECURITY.md); RUNS=20: all of it, 20 times
secrets:
	@$(RELEASE_TESTS) --test stack --test freed --test secrets --test libcrypt --no-run
	@start=$$(date +%s); export TOUCHSTONE_SECRETS_RUNS=$(RUNS); \
	$(RELEASE_TESTS) --test stack --test freed -- --nocapture && \
	$(RELEASE_TESTS) --test secrets --test libcrypt \
		-- nothing_is_left a_planted_leak --nocapture && \
	echo "the searches took $$(($$(date +%s) - start)) seconds"

## long-messages: hash a message of more than 4 GiB with every hash (20 minutes, 5 GiB of memory)
long-messages:
	@$(RELEASE_TESTS) --test long_messages -- --ignored --nocapture

## adding: do to a copy what docs/adding-an-algorithm.md says, and ask it for known answers
adding:
	@tools/test-adding.sh

## strongbox-faults: kill strongbox at 200 points, and seal a sparse file of 64 GiB (5 minutes)
strongbox-faults: toolchain
	@tools/strongbox-faults.sh

## strongbox-speed: compare strongbox with age, rage, gpg, openssl enc and cp, files of 1 GiB
## (3 minutes); ARGS: other options of `touchstone files`
strongbox-speed: dist
	@dist/bin/touchstone files $(or $(value ARGS),--sizes 1G)

## container: build an OCI image of the lab, with trees of the releases in SUITES; OUT: a file with it
## (buildah or podman, mmdebstrap; docs/campaigns.md)
container: dist
	@SUITES="$(SUITES)" OUT="$(OUT)" tools/container.sh $(DIST)

## python: build the wheel for Python, install it into a scratch environment, test it (8 minutes)
python: toolchain
	@tools/python.sh

## fuzz: run every fuzz target, or those in TARGETS, for FUZZ_SECONDS (30) each
fuzz:
	@tools/fuzz.sh $(TARGETS)

## fuzz-count: print how many inputs each fuzz target has had
fuzz-count:
	@tools/fuzz.sh --counts

clean:
	@$(CARGO) clean --quiet
	@rm -rf $(DIST)

## help: print this list
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)
