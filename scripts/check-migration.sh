#!/bin/sh
# Compares the migration guides with their programs. For each folder in Examples/Migration:
#
# - docs/migration.md shows the diff between the program before and the one after, after the line `<!-- diff: FOLDER -->`.
# - At most 20 lines are changed. A replaced line counts once: for each group of changed lines, the larger number of
#   removed and added lines counts. The line `// Not compiled here` does not count.
# - A program that is not compiled says so in its first line, and the guide repeats that. The manifest builds all others.
# - Before.swift of URLSession type-checks against the stubs of Apple's signatures.
#
#   scripts/check-migration.sh            checks
#   scripts/check-migration.sh --write    writes the diffs into the guide, then checks
set -eu
cd "$(dirname "$0")/.."
guide=docs/migration.md
programs=Examples/Migration
limit=20
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# complain TEXT: reports a problem.
complain() {
    echo "check-migration: $1" >&2
    status=1
}

origins=$(find "$programs" -mindepth 1 -maxdepth 1 -type d | sort | sed 's/.*\///')
[ -n "$origins" ] || { echo "check-migration: $programs contains no program" >&2; exit 1; }
for origin in $origins; do
    before=$(find "$programs/$origin" -name 'Before.*')
    after=$programs/$origin/After.swift
    [ -f "$before" ] && [ -f "$after" ] || { complain "$origin: Before or After.swift is missing"; continue; }
    # The header lines contain times, so they are left out.
    diff -U 1 "$before" "$after" | sed 1,2d >"$scratch/$origin.diff"
    changed=$(awk '
        function group() { total += removed > added ? removed : added; removed = added = 0 }
        /^-\/\/ Not compiled here: / { next }
        /^-/ { removed++; next }
        /^\+/ { added++; next }
        { group() }
        END { group(); print total + 0 }' "$scratch/$origin.diff")
    [ "$changed" -le "$limit" ] || complain "$origin: $changed changed lines, the limit is $limit"
    grep -qF "| $changed | [\`$origin/" "$guide" || complain "$origin: the guide's table does not say: $changed changed lines"
    echo "$origin: $changed changed lines" >>"$scratch/counts"

    case $(head -n 1 "$before") in
        "// Not compiled here: "*)
            grep -qF "\`$origin/$(basename "$before")\` is not compiled here" "$guide" ||
                complain "$origin: the guide does not say that the program before is not compiled here"
            ;;
        *)
            grep -qF "\"$origin\", before:" Package.swift ||
                complain "$origin: Package.swift does not build $before, and its first line does not say why"
            ;;
    esac
done

# Replaces the diffs of the guide with the real ones.
awk -v folder="$scratch" '
    /^<!-- diff: .* -->$/ {
        print
        name = $3
        print "```diff"
        file = folder "/" name ".diff"
        while ((getline line < file) > 0) print line
        close(file)
        print "```"
        skip = 1
        next
    }
    skip && /^```$/ { skip = 0; next }
    !skip { print }
    END { exit skip }' "$guide" >"$scratch/guide" || { complain "$guide: a diff does not end"; exit 1; }
for origin in $origins; do
    [ "$(grep -cxF "<!-- diff: $origin -->" "$guide")" = 1 ] || complain "$guide: exactly one line must be: <!-- diff: $origin -->"
done
if [ "${1-}" = --write ]; then cp "$scratch/guide" "$guide"; fi
diff -u "$guide" "$scratch/guide" >&2 ||
    complain "$guide does not show the real diffs; scripts/check-migration.sh --write writes them"

if [ "$(uname -s)" != Darwin ] && [ -f "$programs/URLSession/Before.swift" ]; then
    for stub in Security AppleFoundation; do
        swiftc -parse-as-library -swift-version 6 -enable-upcoming-feature InternalImportsByDefault -emit-module \
            -module-name "$stub" -emit-module-path "$scratch/$stub.swiftmodule" -I "$scratch" \
            "Tests/AppleStub/$stub.swift"
    done
    awk -v mode=iOS -f scripts/apple-branches.awk "$programs/URLSession/Before.swift" >"$scratch/Before.swift"
    swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors -I "$scratch" "$scratch/Before.swift" ||
        complain "URLSession: the program before does not type-check against the stubs"
fi

[ "$status" = 0 ] || exit "$status"
[ "${1-}" != --counts ] || cat "$scratch/counts"
echo "check-migration: the guide shows the diffs of $(wc -l <"$scratch/counts") programs, each with at most $limit changed lines"
