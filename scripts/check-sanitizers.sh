#!/bin/sh
# What the runs with sanitizers rely on, without such a run (CONTRIBUTING.md has the commands): the suppressions name other
# people's code only, each with a reason above it, and the C files that show waits to the thread sanitizer fit the toolchain.
#
#   scripts/check-sanitizers.sh                 checks all
#   scripts/check-sanitizers.sh suppressions    checks the suppressions only
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# A rule that names a module of this package would hide its faults.
printf '%s\n' Holdfast Chat >"$scratch/names"
for folder in Sources/*/* Tests/*Tests Tests/*/*Tests; do
    [ ! -d "$folder" ] || basename "$folder" >>"$scratch/names"
done
rules=0
for file in scripts/*san-suppressions.txt; do
    [ -f "$file" ] || continue
    awk -v file="$file" '
        function complain(text) { print file ":" FNR ": " text; failures++ }
        FILENAME != file { names[tolower($0)] = $0; next }
        /^#/ { explained = /^# .*[a-z]/; next }
        /^$/ { explained = 0; next }
        {
            rules++
            pattern = $0
            if (!sub(/^[a-z_]+:/, "", pattern)) { complain("a rule is written KIND:PATTERN"); next }
            letters = pattern
            gsub(/[^A-Za-z]/, "", letters)
            if (length(letters) < 6) complain("`" pattern "` fits almost any name")
            if (!explained) complain("`" pattern "` has no reason above it")
            for (name in names) if (index(tolower(pattern), name)) complain("`" pattern "` names " names[name] ", which is of this package")
        }
        END { print rules + 0 > "/dev/stderr"; exit failures > 0 }
    ' "$scratch/names" "$file" 2>"$scratch/count" || exit 1
    rules=$((rules + $(cat "$scratch/count")))
done
[ "${1-}" != suppressions ] || { echo "check-sanitizers: $rules suppressions name no code of this package"; exit 0; }

case $(uname -s) in
    Darwin) echo "check-sanitizers: $rules suppressions; the sanitizer knows this system's locks"; exit 0 ;;
esac

# The C files and their test, which are compiled for the thread sanitizer only.
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
folder=$PWD/Sources/Lab/ThreadSanitizerRuntime
"$toolchain/bin/clang" -fsyntax-only -Wall -Wextra -Werror -I "$folder/include" "$folder"/*.c
printf 'module ThreadSanitizerRuntime { header "%s" }\n' "$folder/include/ThreadSanitizerRuntime.h" >"$scratch/module.modulemap"
swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors -D HOLDFAST_SANITIZE_THREAD \
    -module-name Tests -plugin-path "$toolchain/lib/swift/host/plugins/testing" \
    -Xcc "-fmodule-map-file=$scratch/module.modulemap" Tests/Base/HoldfastSystemTests/ThreadSanitizerTests.swift

# The functions that the C files replace are in the toolchain's libraries.
replaced=0
for pair in MutexWaits.c:libswiftSynchronization.so ContinuationWaits.c:libswift_Concurrency.so; do
    file=${pair%:*} library=${pair#*:}
    symbols=$(sed -n 's/^#define [A-Z_]* "\([$_a-zA-Z0-9]*\)"$/\1/p' "$folder/$file")
    [ -n "$symbols" ] || { echo "check-sanitizers: no symbol of the toolchain found in $file" >&2; exit 1; }
    for symbol in $symbols; do
        grep -qaF -- "$symbol" "$toolchain/lib/swift/linux/$library" || {
            echo "check-sanitizers: $library has no $symbol; adapt $file to this toolchain" >&2
            exit 1
        }
        replaced=$((replaced + 1))
    done
done
echo "check-sanitizers: $rules suppressions; the toolchain has all $replaced functions that are replaced"
