#!/bin/sh
# Refuses words and patterns of scripts/language.txt in comments, string literals and documents, and sentences of more
# than 30 words in documents. Refuses comments beyond column 120, where swift format allows them. Checks all files, or
# those that the arguments name.
set -eu
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- $(git ls-files '*.swift' '*.md' '*.tutorial' | grep -v '^Fuzz/Corpus/')
long=$(printf '%s\n' "$@" | grep '\.swift$' | LC_ALL=C.UTF-8 xargs grep -HnE '^.{121}' /dev/null |
    grep -E '^[^:]*:[0-9]+: *//' | cut -d: -f1,2 || true)
[ -z "$long" ] || {
    printf '%s\n' "$long" | sed 's/$/: a comment has more than 120 columns/' >&2
    exit 1
}
if awk -v rules=scripts/language.txt -v most=30 -f scripts/language.awk "$@" >&2; then
    echo "check-language: no findings in $# files"
else
    echo "check-language: scripts/language.txt says what to write instead" >&2
    exit 1
fi
