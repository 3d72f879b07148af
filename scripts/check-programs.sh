#!/bin/sh
# Builds the benchmarks, fuzz drivers and examples, and runs each for one short round, which must succeed. The figures
# of such a round are meaningless. Then checks that ./run does not recompile anything after the tests, because all
# commands use the same compiler flags.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# build OPTION...: builds, and prints the log if the build fails.
build() {
    swift build --package-path "$root" "$@" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        exit 1
    }
}

HOLDFAST_TARGETS=all
HOLDFAST_PLUGINS=off
export HOLDFAST_TARGETS HOLDFAST_PLUGINS
build
programs=$(swift build --package-path "$root" --show-bin-path)

# The programs write their files to the working directory.
cd "$scratch"
count=0

# short PROGRAM OPTION...: runs one short round.
short() {
    count=$((count + 1))
    status=0
    timeout 300 "$programs/$@" >"$scratch/log" 2>&1 || status=$?
    [ "$status" -eq 0 ] || {
        cat "$scratch/log" >&2
        echo "check-programs: failed with exit code $status: $*" >&2
        exit 1
    }
}

short TrustCost --rounds 1
short HandshakeCost --rounds 1
short ClientBench --rounds 1 --duration 0.01 --idle 5
short WebSocketBench --rounds 1 --duration 0.01 --idle 20 --peers "$root/Benchmarks/Peers" --compiler-options=-O0
short WebSocketBench scale --plain 20 --tls 10 --seconds 0.1
short ChatBench --rounds 1 --inits 3 --sends 5 --missed 20 --round-trip 5 --messages 500 --queries 5 --pages 3
short ChatBench scale --chats 5 --idle 1 --settle 0.5
short NetworkBench --rounds 1 --requests 6 --megabytes 1 --round-trip 0
short NetworkBench --rounds 1 --requests 6 --megabytes 1 --round-trip 10 --rate 50
engines=sqlite
set -- /usr/lib/postgresql/*/bin/initdb
if [ "${HOLDFAST_POSTGRESQL-}" = on ] && [ -x "$1" ]; then
    engines="sqlite postgresql"
else
    echo "check-programs: FleetBench runs without PostgreSQL, which is not installed or not in this build" >&2
fi
for engine in $engines; do
    short FleetBench load --engine "$engine" --duration 0.5 --warm-up 0.2 --connections 8 --incidents 5
    short FleetBench kills --engine "$engine" --rounds 1 --between 20 --connections 8 --incidents 5
    short FleetBench desk --engine "$engine" --reports 300 --incidents 5 --days 2 --rounds 2
done
short holdfast-fuzz --seconds 0.1 --corpus "$root/Fuzz/Corpus"
for example in NIOPipeline GRPCClient AHCClient ChatPageLogin; do short "$example"; done

unset HOLDFAST_TARGETS
build --product holdfast
if grep -q Compiling "$scratch/log"; then
    cat "$scratch/log" >&2
    echo "check-programs: the tool was recompiled, because its compiler flags depend on the environment" >&2
    exit 1
fi
echo "check-programs: $count programs ran, and ./run did not recompile anything"
