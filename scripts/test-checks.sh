#!/bin/sh
# Tests the checks: breaks each rule once in a temporary tree. The check must report it.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/scripts" "$scratch/Tests/ATests"
cp "$root"/scripts/check-*.sh "$root/scripts/layering.txt" "$root/scripts/apple-branches.awk" "$root/scripts/api.awk" \
    "$root/scripts/modules.sh" "$root"/scripts/language.* "$scratch/scripts/"
printf '# none\n' > "$scratch/scripts/pure-allowed.txt"
tried=0

# clean: creates an empty tree with one file that follows the rules.
clean() {
    rm -rf "$scratch/Sources" "$scratch/docs"
    mkdir -p "$scratch/Sources/Group/HoldfastTrust" "$scratch/docs"
    printf '// A file.\nlet text = "Date() UUID() try! Task {"  // Date()\n' > "$scratch/Sources/Group/HoldfastTrust/Fine.swift"
    printf '# A page\n\n[itself](#a-page) [the same](page.md#a-page) `[not](a-link.md)`\n' > "$scratch/docs/page.md"
}

# layering TARGET CODE MESSAGE: check-layering.sh must refuse that code in that target with that message.
layering() {
    clean
    mkdir -p "$scratch/Sources/Group/$1"
    printf '%b\n' "$2" > "$scratch/Sources/Group/$1/Broken.swift"
    refused check-layering.sh "$3"
}

# refused SCRIPT MESSAGE [ARGUMENT]: the script must fail with that message.
refused() {
    tried=$((tried + 1))
    if "$scratch/scripts/$1" ${3-} > "$scratch/said" 2>&1; then
        echo "test-checks: $1 succeeded, expected: $2" >&2
        exit 1
    fi
    grep -qF -- "$2" "$scratch/said" || {
        echo "test-checks: $1 failed with another message, expected: $2" >&2
        cat "$scratch/said" >&2
        exit 1
    }
}

# accepted SCRIPT [ARGUMENT]: the script must succeed.
accepted() {
    tried=$((tried + 1))
    "$scratch/scripts/$1" ${2-} > "$scratch/said" 2>&1 || {
        echo "test-checks: $1 failed for valid code" >&2
        cat "$scratch/said" >&2
        exit 1
    }
}

# The parts use the functions above, and count in `tried`.
for part in code project pages; do . "$root/scripts/test-checks/$part.sh"; done

echo "test-checks: $tried cases succeeded"
