#!/bin/sh
# Compares the public API of each library product with its description in docs/api. A removed, changed or added
# declaration fails, until --accept has written the new description and it is committed. Reads the modules of the last
# debug build; `./run api` builds first.
#
#   scripts/check-api.sh [--accept] [--build DIR]     the default of DIR is .build/debug
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C

fail() {
    echo "check-api: $*" >&2
    exit 1
}

accept=no
build=.build/debug
while [ $# -gt 0 ]; do
    case $1 in
        --accept) accept=yes ;;
        --build)
            [ $# -ge 2 ] || fail "--build needs a folder"
            build=$2
            shift
            ;;
        *) fail "'$1' is not an option; the options are --accept and --build DIR" ;;
    esac
    shift
done

programs=swift-api-digester
. scripts/modules.sh

# The products, and the modules that they export again.
modules=$(for product in $products; do
    echo "$product"
    for module in $(grep -rhs '^@_exported public import' Sources/*/"$product" | awk '{ print $4 }'); do
        ! ls -d Sources/*/"$module" >/dev/null 2>&1 || echo "$module"
    done
done | sort -u)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Prints the public API of a module, in alphabetical order.
describe() {
    module=$1
    shift
    swift-api-digester -dump-sdk -module "$module" -o "$scratch/$module.json" -target "$target" -sdk / -swift-only \
        -avoid-location -avoid-tool-args -abort-on-module-fail -I "$build/Modules" "$@" >"$scratch/log" 2>&1 &&
        [ -s "$scratch/$module.json" ] || { cat "$scratch/log" >&2; fail "swift-api-digester failed for $module"; }
    awk -v attributes='Final Frozen DiscardableResult Required Rethrows Indirect Nonisolated Custom' \
        -f scripts/api.awk "$scratch/$module.json" >"$scratch/mangled" || fail "the dump of $module cannot be read"
    swift demangle <"$scratch/mangled" | sort -u
}

mkdir -p docs/api
status=0
total=0
for module in $modules; do
    describe "$module" "$@" >"$scratch/$module.txt"
    known=docs/api/$module.txt
    total=$((total + $(wc -l <"$scratch/$module.txt")))
    if [ "$accept" = yes ]; then
        cp "$scratch/$module.txt" "$known"
        continue
    fi
    [ -f "$known" ] || { echo "check-api: $known is missing" >&2; status=1; continue; }
    cmp -s "$known" "$scratch/$module.txt" && continue
    status=1
    comm -23 "$known" "$scratch/$module.txt" | sed "s/^/check-api: $module: removed or changed: /" >&2
    comm -13 "$known" "$scratch/$module.txt" | sed "s/^/check-api: $module: added or changed: /" >&2
done

# Descriptions of modules that are not products any more.
for known in docs/api/*.txt; do
    [ -f "$known" ] || continue
    module=${known##*/}
    module=${module%.txt}
    printf '%s\n' "$modules" | grep -qx "$module" && continue
    if [ "$accept" = yes ]; then
        rm "$known"
    else
        echo "check-api: $known describes a module that is not part of a product" >&2
        status=1
    fi
done

[ "$status" -eq 0 ] || fail "the public API changed. If this is intended, run: ./run api --accept
Then review the changes of docs/api, and describe them in CHANGELOG.md."
if [ "$accept" = yes ]; then
    echo "check-api: docs/api describes $total declarations; review and commit the changes"
else
    echo "check-api: $total public declarations, as described in docs/api"
fi
