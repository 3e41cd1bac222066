# `make demo` builds and shows a tournament of two minutes; `make test` runs what a change can break in the ordinary way,
# `make test-all` everything. All work from a fresh clone.

CARGO ?= cargo
PYTHON ?= python3

# A machine that builds once has no use for what makes its next build quicker.
ifdef CI
export CARGO_INCREMENTAL ?= 0
endif

PACKAGES := casino-system casino-stud casino-analysis casino-show casino-sisters casino-host casino-judge casino-ladder

.PHONY: long-show examples demo test test-all test-with-check run-tests slowest check check-all page deny msrv tools soak kills failing-disk stalls simulate deadlines planted browser pictures film storm \
	scenarios bench peers table ladder hostile gradescope verdicts portable fuzz install uninstall dist dist-check packages workflows test-system times
.PHONY: docs power-loss hostile-sockets memory test-lib test-browser check-format check-lints check-tidy check-docs $(addprefix check-,$(PACKAGES))

# `make test` leaves to `make test-all` the tests with `#[ignore = "long: …"]`: they take long and look once more, in other
# shapes or other numbers, at what another test of `make test` looks at as well. `make slowest` measures them all. Those with
# `#[ignore = "alone: …"]` are no part of either: a command of their own runs them.
ALONE = $(shell grep -rhA4 --include='*.rs' '^ *.\[ignore = "alone: ' src crates tests tools | sed -n 's/^ *\(async \)*fn \([a-z0-9_]*\).*/\2/p')

HOSTILE ?= 20
KILLS ?= 10000
CUTS ?= 1000
SOCKETS ?= 10000
SECONDS ?= 600
MINUTES ?= 60

demo:
	$(CARGO) run --profile demo -- demo

# What the tests use and a machine may lack. What cannot be installed is said; the tests that need it are skipped, and
# say so. `REQUIRE=all make test` fails instead, and `REQUIRE=go,browser make test` for want of these two.
tools:
	-./scripts/install-tools.sh
	-./scripts/install-tools.sh deny

# All of them run, whatever one finds.
CHECKS := check-format check-lints check-tidy page deny

check:
	$(MAKE) --no-print-directory --keep-going $(CHECKS)

check-format:
	$(CARGO) fmt --check
	rustfmt --edition 2024 --check crates/judge/src/sandbox/linux/mod.rs

check-lints:
	$(CARGO) clippy --locked --all-targets --quiet -- -D warnings

check-tidy:
	$(CARGO) test --quiet --test tidy

# What `make test-all` looks at besides: the documentation, that of private items too, each package built alone, and the
# examples.
check-all:
	$(MAKE) --no-print-directory --keep-going $(CHECKS) check-docs $(addprefix check-,$(PACKAGES)) examples

check-docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --document-private-items --quiet

$(addprefix check-,$(PACKAGES)): check-%:
	$(CARGO) check --locked --quiet --package $*

# The program, its manual, completions, starter bots and licences below PREFIX: `make install PREFIX=~/.local`. With
# BINARY=target/release/casino nothing is built. DESTDIR is for packagers.
install uninstall:
	CARGO="$(CARGO)" PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" BINARY="$(BINARY)" $(PYTHON) scripts/dist.py $@

# One archive of the same for others to unpack, and one wheel for those with pip, with their SHA-256, in target/archives: for
# this system, or for TARGET, which needs a toolchain for it, or with BINARY a program that is built already. maturin
# builds the wheel; without it there is none, and REQUIRE=maturin makes that an error.
dist:
	CARGO="$(CARGO)" TARGET="$(TARGET)" BINARY="$(BINARY)" $(PYTHON) scripts/dist.py archive

# Whether that archive and that wheel have everything in them, and their programs play; and whether each package can be
# built from what would be published of it.
dist-check: packages
	CARGO="$(CARGO)" TARGET="$(TARGET)" $(PYTHON) scripts/dist.py check

# In a folder of its own each time: cargo unpacks a package of this version once for each place.
packages:
	mkdir -p target
	folder=$$(mktemp -d target/packages.XXXXXX); \
	CARGO_TARGET_DIR=$$folder $(CARGO) package --locked --workspace --allow-dirty --quiet; packaged=$$?; \
	rm -rf $$folder; exit $$packaged

# The workflows of .github and of docs, and the Containerfile, with tools from PyPI.
workflows:
	./scripts/check-workflows.sh

# What `make test` is where its scripts do not run, as on Windows: the library's own tests, all scenarios, and a
# tournament that is verified.
test-system:
	$(CARGO) build --locked
	$(CARGO) test --locked --lib
	$(CARGO) run --locked --quiet -- scenario run scenarios --tcp
	$(CARGO) run --locked --quiet -- play --bot cautious --bot bold*3 --rounds 100 --seed ci --out target/ci
	$(CARGO) run --locked --quiet -- verify target/ci/journal.jsonl

# The example programs, briefly; as `cargo test` builds them.
examples:
	$(CARGO) run --profile test --quiet --package casino-stud --example play_round
	$(CARGO) run --profile test --quiet --package casino-analysis --example rate_my_bot -- 200
	$(CARGO) run --profile test --quiet --package casino-stud --example verify_journal
	$(CARGO) run --profile test --quiet --example soak -- 1000

# The documentation as a book in target/book, with a page of all commands. mdbook renders it.
docs:
	$(CARGO) build --locked
	$(PYTHON) scripts/build-docs.py $${CARGO_TARGET_DIR:-target}/debug/casino

# The page's scripts and styles: form, habits and types.
page:
	./scripts/check-page.sh

# The dependencies' licences, sources, doubles and advisories.
deny:
	CARGO="$(CARGO)" ./scripts/check-dependencies.sh

# Everything with the oldest Rust that Cargo.toml names.
msrv:
	./scripts/check-msrv.sh

# What a change can break in the ordinary way. The tools come over the network while the tests are compiled, and the
# checks run where the tests wait; what they found is printed after them.
test: CHECK = check
test: test-with-check

# Everything.
test-all: CHECK = check-all
test-all: RUN = --include-ignored $(foreach name,$(ALONE),--skip $(name))
test-all: test-with-check

test-with-check:
	./scripts/install-tools.sh & $(CARGO) test --locked --no-run --quiet; built=$$?; wait; exit $$built
	mkdir -p target
	nice $(MAKE) --no-print-directory $(CHECK) >target/check.log 2>&1 & check=$$!; \
	$(MAKE) --no-print-directory run-tests RUN="$(RUN)"; tested=$$?; \
	wait $$check; checked=$$?; cat target/check.log; exit $$((tested + checked))

# Many tests wait for processes, sockets and deadlines most of their time: two of them for each core. They start Python
# hundreds of times: the system's own, as a `python3` before it on the PATH may be a script that looks for one each time.
run-tests:
	mkdir -p target/tools
	if [ -x /usr/bin/python3 ]; then ln -sf /usr/bin/python3 target/tools/python3; fi
	PATH="$(CURDIR)/target/tools:$$PATH" \
	RUST_TEST_THREADS=$${RUST_TEST_THREADS:-$$((2 * $$(getconf _NPROCESSORS_ONLN)))} \
	$(CARGO) test --locked --no-fail-fast -- $(RUN)

# The unit tests of all packages without the long ones.
test-lib:
	$(CARGO) test --locked --workspace --lib

# One file of tests/browser: `make test-browser PAGE=ladder`.
test-browser:
	./scripts/install-tools.sh browser
	$(CARGO) build --locked
	CASINO=$(abspath $(or $(CARGO_TARGET_DIR),target))/debug/casino node --test --test-reporter=spec tests/browser/$(PAGE).test.mjs

# The processor time of each test, run alone, and the fifty that take most.
slowest:
	CARGO="$(CARGO)" ALONE="$(ALONE)" $(PYTHON) scripts/slowest-tests.py

# What somebody waits for who begins with nothing, measured; on a machine that does nothing else.
times:
	./scripts/measure-times.sh

# Ten million rounds with random legal bots.
soak:
	$(CARGO) run --release --example soak -- 10000000

# Eight hours of a show with 200 players, on a clock that jumps.
long-show:
	$(CARGO) test --release --lib show_tests -- --ignored --nocapture

# A real host killed at random moments and resumed each time, in every shape of tournament, several side by side.
kills:
	KILLS=$(KILLS) $(CARGO) test --test kills a_host_that_is_killed -- --nocapture
	LADDER_KILLS=$(or $(LADDER_KILLS),200) $(CARGO) test --test kills a_ladder_that_is_killed -- --nocapture

# The same, and with the host the power of its disk fails: a file system in user space forgets what was not synced.
power-loss:
	./scripts/install-tools.sh fuse
	CUTS=$(CUTS) REQUIRE=fuse $(CARGO) test --test kills sent_messages -- --nocapture
	LADDER_CUTS=$(or $(LADDER_CUTS),200) REQUIRE=fuse $(CARGO) test --test kills a_ladder_keeps -- --nocapture

# Each write and each sync of a tournament and of events fails or lies, in every way, also after a kill.
failing-disk:
	DISK=all $(CARGO) test --release --test simulate a_failing_disk -- --nocapture

# So many whole days in memory, from this seed on, each with so many times as many rounds and chips: docs/simulate.md.
DAYS ?= 10000
LONGER ?= 1
SEED ?= 0
simulate:
	DAYS=$(DAYS) SEED=$(SEED) LONGER=$(LONGER) $(CARGO) test --release --test simulate -- --ignored --nocapture --exact many_days

# A million replies up to a millisecond before and after the deadline, on a clock of ours.
deadlines:
	$(CARGO) test --release --test simulate -- --ignored --nocapture many_replies

# Breaks a copy of the sources in one place after the other, and has the simulator, or the tests that are named, find each.
planted:
	CARGO="$(CARGO)" ./scripts/planted.sh

# Changes stud, table, protocol and journal in one place after the other, and has the tests of their package notice each:
# .cargo/mutants.toml says how, and which changes no test can notice. It takes some hours. MUTANTS gives other
# flags, such as `--re stud/` or `--list`.
.PHONY: mutants
mutants:
	@$(CARGO) mutants --version >/dev/null 2>&1 || \
		{ echo "make mutants needs cargo-mutants, which this installs: cargo install --locked cargo-mutants"; exit 1; }
	PROPTEST_DISABLE_FAILURE_PERSISTENCE=1 PROPTEST_RNG_SEED=1 \
	$(CARGO) mutants --package casino-stud --output target $(MUTANTS)

# Seventeen bots play for ten minutes while 10,000 sockets annoy their host: nobody is thrown out, and how long they wait.
hostile-sockets:
	SOCKETS=$(SOCKETS) SECONDS=$(SECONDS) $(CARGO) bench --bench hostile_sockets

# What a host with fifty players, page and console keeps in memory, each minute of an hour or as many as MINUTES says; with
# HOURS=8 in the rounds of eight hours of a show, as fast as they can be played. More than 1 MiB an hour more is a failure.
memory:
	$(CARGO) build --release
	$(PYTHON) scripts/soak-memory.py --minutes $(MINUTES) $(if $(HOURS),--hours $(HOURS)) --out target/memory.csv

# Stops a host, or the whole machine, for longer than a reply may take, 48 times.
stalls:
	STALLS=48 $(CARGO) test --test kills stalls:: -- --nocapture

# Programs that try to get out of the box, each twenty times, with bubblewrap and without; called by root, as another
# user too.
hostile:
	HOSTILE=$(HOSTILE) CARGO="$(CARGO)" ./scripts/hostile.sh

# libFuzzer on every target of tests/fuzzing/targets, a minute each: docs/fuzzing.md. FUZZ_SECONDS, TARGET, FUZZ_JOBS and
# SANITIZER=none change that. What it needs and does not find it says.
fuzz:
	CARGO="$(CARGO)" FUZZ_SECONDS="$(FUZZ_SECONDS)" TARGET="$(TARGET)" FUZZ_JOBS="$(FUZZ_JOBS)" \
	SANITIZER="$(or $(SANITIZER),address)" $(PYTHON) scripts/fuzz.py

# Windows and macOS, as far as one Linux machine can show them: under Wine, and by type-checking. Needs root.
portable:
	CARGO="$(CARGO)" ./scripts/portable.sh

# The page, the console, the replay and the report in a real browser, which is installed where it is missing.
browser:
	./scripts/install-tools.sh browser
	REQUIRE=browser $(CARGO) test --test together browser:: -- --nocapture

# The pictures of the README, of docs/ and of the pages: made by the project, of a day that is played for them.
pictures:
	./scripts/install-tools.sh browser
	$(CARGO) build --release
	CASINO=$(CURDIR)/target/release/casino node tests/browser/pictures.mjs

# A day of thirty programs in six languages, filmed: a picture of four screens every two seconds, in target/film.
film:
	./scripts/install-tools.sh browser
	$(CARGO) build --release
	CASINO=$(CURDIR)/target/release/casino node tests/browser/film.mjs

# A day on which the host is killed three times, 600 sockets say nothing, and fifty phones watch.
storm:
	./scripts/install-tools.sh browser
	$(CARGO) build --release
	CASINO=$(CURDIR)/target/release/casino node tests/browser/storm.mjs

# Every situation of scenarios/, in process and over TCP.
scenarios:
	$(CARGO) run --release --quiet -- scenario run scenarios --tcp

bench:
	$(CARGO) bench

# Decisions a second beside other engines, which are packages of PyPI.
peers:
	CARGO="$(CARGO)" $(PYTHON) scripts/peers.py --get

# The table that the house bot `solver` plays by: learned again, in some six seconds of one core for each of its 338 pairs of
# up cards, and compared with the one in the sources.
table:
	$(CARGO) test --package train-solver
	$(CARGO) run --release --quiet --package train-solver -- target/heads_up.table
	cmp target/heads_up.table crates/stud/src/strategies/solver/heads_up.table

# How strong the house bots are at tables of 2, 6 and 17: measured again, and written for `casino bots` and into docs/bots.md.
ladder:
	$(CARGO) bench --package casino-analysis --bench ladder -- $(CURDIR)/crates/stud/src/strategies/ladder_figures.rs $(CURDIR)/docs/bots.md

# How far the verdicts of ratings can be trusted: the tables of docs/benchmarks.md, and the places in a thousand random events of
# every format. It says how long each part took, and on a terminal how far it is. VERDICTS='coverage --seed WORD' does one part alone,
# with other seeds: see crates/analysis/benches/verdicts/main.rs.
verdicts:
	$(CARGO) bench --package casino-analysis --bench verdicts -- $(VERDICTS)
	EVENTS=1000 $(CARGO) test --test together places::

# The zip that Gradescope takes as an autograder.
gradescope:
	CARGO="$(CARGO)" ./scripts/gradescope.sh
