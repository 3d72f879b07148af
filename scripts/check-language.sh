#!/bin/sh
# Refuses words and patterns of scripts/language.txt in comments, string literals and documents, and sentences of more
# than 30 words in documents. Checks all files, or those that the arguments name.
set -eu
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || set -- $(git ls-files '*.swift' '*.md' | grep -v '^Fuzz/Corpus/')
if awk -v rules=scripts/language.txt -v most=30 -f scripts/language.awk "$@" >&2; then
    echo "check-language: no findings in $# files"
else
    echo "check-language: scripts/language.txt says what to write instead" >&2
    exit 1
fi
