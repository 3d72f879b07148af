#!/bin/sh
# Counts the instructions that Holdfast's clients need for one request, one TLS handshake, one WebSocket message and one
# `send` of the chat SDK, and fails if one exceeds its budget in Benchmarks/budgets.txt. Valgrind counts them in a release
# build, so that the figures depend neither on the clock nor on other programs. They do depend on the compiler and, in
# the TLS library, on the processor's instructions that Valgrind knows.
#
#   scripts/check-budgets.sh               compares
#   scripts/check-budgets.sh --accept      writes the counted figures to the file
#   scripts/check-budgets.sh --only send   compares one operation
#
# On Debian and Ubuntu, root installs Valgrind if it is missing.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

if ! command -v valgrind >/dev/null 2>&1; then
    command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ] || {
        echo "check-budgets: valgrind is not installed" >&2
        exit 1
    }
    apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends valgrind >&2
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Debugging information would only make the build slower. Random seeds of hashes would change the counts.
HOLDFAST_TARGETS=all
HOLDFAST_PLUGINS=off
SWIFT_DETERMINISTIC_HASHING=1
export HOLDFAST_TARGETS HOLDFAST_PLUGINS SWIFT_DETERMINISTIC_HASHING
set -- "$root/Benchmarks/budgets.txt" "$@"
folder=$root/.build-budgets
swift build --package-path "$root" --scratch-path "$folder" --configuration release --product InstructionCount \
    -debug-info-format none >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
"$folder/release/InstructionCount" "$@"
