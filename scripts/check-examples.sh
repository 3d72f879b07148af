#!/bin/sh
# Checks the examples that are packages of their own: Examples/*/Package.swift.
#
# A build of each package would compile Holdfast once for each set of traits. Therefore the manifest of this package also
# builds their sources, with HOLDFAST_TARGETS=all, and this script checks that the packages' own manifests are equivalent:
#
# - The manifest can be loaded, depends on this package by path, and declares exactly the modules that the code imports.
# - The manifest of this package builds the same folder, or another script does: check-plugins.sh or check-apple.sh.
# - The package has a README, and each source has 9 to 150 lines.
#
#   scripts/check-examples.sh                     checks
#   scripts/check-examples.sh --build [NAME...]   builds the packages, or those that are named. They share the folder
#                                                 .build-examples. The first build takes as long as one of Holdfast.
set -eu
cd "$(dirname "$0")/.."
unset HOLDFAST_TARGETS HOLDFAST_TESTS
export HOLDFAST_PLUGINS=off

if [ "${1-}" = --build ]; then
    shift
    # The app's sources compile on Apple platforms only.
    [ $# -gt 0 ] || set -- PinnedGet PinnedService ChatBot ChatPageLogin
    for name in "$@"; do
        # With the versions of this package, nothing is resolved again.
        [ ! -f Package.resolved ] || [ -f "Examples/$name/Package.resolved" ] ||
            cp Package.resolved "Examples/$name/Package.resolved"
        swift build --package-path "Examples/$name" --scratch-path .build-examples
    done
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# complain TEXT: reports a problem.
complain() {
    echo "check-examples: $1" >&2
    status=1
}

count=0
own=' Foundation FoundationNetworking Dispatch Synchronization SwiftUI '
for manifest in Examples/*/Package.swift; do
    folder=$(dirname "$manifest")
    name=$(basename "$folder")
    count=$((count + 1))
    # The package of the plugins has a script of its own.
    [ "$name" != PinnedPackage ] || continue
    sources=$folder/Sources/$name
    [ -f "$folder/README.md" ] || complain "$name: README.md is missing"
    [ -d "$sources" ] || { complain "$name: the folder $sources is missing"; continue; }
    swift package --package-path "$folder" dump-package >"$scratch/$name.json" 2>"$scratch/log" || {
        cat "$scratch/log" >&2
        complain "$name: the manifest cannot be loaded"
    }
    grep -q 'package(name: "holdfast", path: "../.."' "$manifest" || complain "$name: the manifest does not depend on ../.."

    sed -n 's/.*\.product(name: "\([A-Za-z0-9_]*\)".*/\1/p' "$manifest" | sort -u >"$scratch/declared"
    cat "$sources"/*.swift | sed -n 's/^import \([A-Za-z0-9_]*\).*/\1/p' | sort -u | while read -r module; do
        case $own in *" $module "*) ;; *) echo "$module" ;; esac
    done >"$scratch/imported"
    comm -23 "$scratch/declared" "$scratch/imported" | while read -r module; do
        echo "declares $module, but does not import it"
    done >"$scratch/wrong"
    comm -13 "$scratch/declared" "$scratch/imported" | while read -r module; do
        echo "imports $module, which the manifest does not declare"
    done >>"$scratch/wrong"
    while read -r text; do complain "$name: $text"; done <"$scratch/wrong"

    if [ "$name" = SupportApp ]; then
        grep -q "Examples/$name" scripts/check-apple.sh || complain "$name: check-apple.sh does not check it"
    else
        tr -d '\n' <Package.swift | grep -qE "example\( *\"$name\"" || complain "$name: Package.swift does not build it"
    fi
    for file in "$sources"/*.swift; do
        lines=$(wc -l <"$file")
        [ "$lines" -ge 9 ] && [ "$lines" -le 150 ] || complain "$file: $lines lines, expected 9 to 150"
    done
done

[ "$status" = 0 ] || exit "$status"
echo "check-examples: the manifests of $count packages match their code"
