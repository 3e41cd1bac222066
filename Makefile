# `make demo` builds and plays a tournament to watch; `make test` runs everything. Both work from a fresh clone.

CARGO ?= cargo

.PHONY: demo test check tools soak slow bench

demo:
	$(CARGO) run --release --quiet -- play --bot cautious --bot bold --bot odds --bot bluffer --bot reader --bot random --rounds 1000 --pace 25

# What the tests use and a machine may lack. Whatever cannot be installed is skipped by the tests that need it,
# and they say so.
tools:
	-./scripts/install-prolog.sh

check:
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --document-private-items --quiet
	$(CARGO) test --quiet --test layers

test: tools check
	$(CARGO) test

# Ten million rounds with random legal bots.
soak:
	$(CARGO) run --release --example soak -- 10000000

# What takes too long for every day.
slow:
	$(CARGO) test --release --test blackjack --test cribbage -- --ignored

bench:
	$(CARGO) bench
