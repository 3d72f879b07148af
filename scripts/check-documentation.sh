#!/bin/sh
# Builds the DocC documentation of all library products and of Documentation/Holdfast.docc, and checks the website that
# it makes. A warning is an error, for example a link in a doc comment that names a missing symbol. Reads the modules of
# the last debug build and compiles nothing. CONTRIBUTING.md says why it does not use `swift package`.
#
#   scripts/check-documentation.sh [--output DIR] [--build DIR] [MODULE ...]
#
#   --output DIR    writes the website, for any static web server, to DIR
#   --build DIR     the folder of the debug build; the default is .build/debug
#   MODULE ...      checks only these modules, and no website
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C

fail() {
    echo "check-documentation: $*" >&2
    exit 1
}

output=
build=.build/debug
while [ $# -gt 0 ]; do
    case $1 in
        --output | --build)
            [ $# -ge 2 ] || fail "$1 needs a folder"
            if [ "$1" = --output ]; then output=$2; else build=$2; fi
            shift
            ;;
        -*) fail "'$1' is not an option; the options are --output DIR and --build DIR" ;;
        *) break ;;
    esac
    shift
done

wanted=$*
programs="docc swift-symbolgraph-extract"
. scripts/modules.sh

[ -z "$wanted" ] || [ -z "$output" ] || fail "--output writes the documentation of all modules; leave out: $wanted"
modules=${wanted:-$products}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/archives" "$scratch/catalogues"

# The symbol graphs of the modules.
status=0
for module in $modules; do
    printf '%s\n' "$products" | grep -qx "$module" || fail "'$module' is not a library product"
    folder=$(ls -d Sources/*/"$module")
    # The modules of this package that the module exports again. Their symbols are part of its documentation.
    exported=$(grep -rhs '^@_exported public import' "$folder" | awk '{ print $4 }' | while read -r name; do
        # A product has pages of its own, and another package has its own documentation.
        ! ls -d Sources/*/"$name" >/dev/null 2>&1 || printf '%s\n' "$products" | grep -qx "$name" || echo "$name"
    done | sort -u | paste -sd, -)
    mkdir "$scratch/$module"
    swift-symbolgraph-extract -module-name "$module" -target "$target" -sdk / -I "$build/Modules" "$@" \
        -minimum-access-level public -emit-extension-block-symbols -skip-synthesized-members -skip-inherited-docs \
        ${exported:+-experimental-allowed-reexported-modules="$exported"} -output-dir "$scratch/$module" \
        >"$scratch/log" 2>&1 && [ -s "$scratch/$module/$module.symbols.json" ] || {
        cat "$scratch/log" >&2
        fail "the symbols of $module could not be read from $build"
    }
done

# convert NAME CATALOGUE [SYMBOLS]: builds an archive. Its links may name all archives that exist.
convert() {
    name=$1
    catalogue=$2
    symbols=${3-}
    set --
    for archive in "$scratch"/archives/*.doccarchive; do
        [ ! -d "$archive" ] || set -- "$@" --dependency "$archive"
    done
    [ -z "$symbols" ] || set -- "$@" --additional-symbol-graph-dir "$symbols"
    docc convert "$catalogue" "$@" --warnings-as-errors --ide-console-output --fallback-display-name "$name" \
        --fallback-bundle-identifier "holdfast.$name" --fallback-default-module-kind Library \
        --enable-experimental-external-link-support --output-path "$scratch/archives/$name.doccarchive" \
        >"$scratch/log" 2>&1 || {
        # The names of the files in the repository, instead of those of their copies.
        sed "s|$PWD/||g; s|$scratch/catalogues/\\([A-Za-z]*\\).docc|$(dirname "$folder")/\\1/Documentation.docc|g" \
            "$scratch/log" >&2
        echo "check-documentation: the documentation of $name has errors" >&2
        status=1
    }
}

for module in $modules; do
    folder=$(ls -d Sources/*/"$module")
    catalogue=$folder/Documentation.docc
    if [ -f "$catalogue/$module.md" ]; then
        # The links of the articles name files of the repository.
        python3 scripts/documentation-site.py catalogue "$catalogue" "$scratch/catalogues/$module.docc"
        convert "$module" "$scratch/catalogues/$module.docc" "$scratch/$module"
    else
        echo "check-documentation: $catalogue/$module.md is missing" >&2
        status=1
    fi
done
if [ "$modules" = "$products" ] && [ "$status" -eq 0 ]; then
    # The guides are the Markdown files of the folders docs and docs/reference.
    cp -R Documentation/Holdfast.docc "$scratch/Holdfast.docc"
    python3 scripts/documentation-site.py guides docs "$scratch/Holdfast.docc"
    convert Holdfast "$scratch/Holdfast.docc"
fi
[ "$status" -eq 0 ] || fail "see above. After a change of the code, first run: swift build"

if [ "$modules" = "$products" ]; then
    docc merge "$scratch"/archives/*.doccarchive --synthesized-landing-page-name Holdfast \
        --synthesized-landing-page-kind Modules --output-path "$scratch/site" >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        fail "the archives could not be merged"
    }
    python3 scripts/documentation-site.py check "$scratch/site"
    if [ -n "$output" ]; then
        rm -rf "$output"
        mkdir -p "$(dirname "$output")"
        mv "$scratch/site" "$output"
    fi
fi
echo "check-documentation: $(printf '%s\n' $modules | wc -l) modules, no findings"
