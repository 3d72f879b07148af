#!/bin/sh
# Checks the form of new commits: an imperative subject of at most 72 characters without a full stop, a blank line, and
# a body that says why. Checks the commits after BASE; without BASE, those that origin/main does not have, or the last.
# With --message, checks the message in a file, as Git passes it to the hook `commit-msg`.
#
#   scripts/check-commits.sh [BASE]
#   scripts/check-commits.sh --message FILE
set -eu

# faults: prints the faults of the message on standard input.
faults() {
    awk '
        NR == 1 {
            if (length($0) > 72) print "the subject has " length($0) " characters, expected at most 72"
            if ($0 !~ /^[A-Z]/ || /\.$/) print "the subject must begin with a capital letter and have no full stop"
            if ($1 ~ /^(Added|Fixed|Changed|Removed|Updated|Adds|Fixes|Changes|Removes|Updates|Adding|Fixing|Changing)$/)
                print "the subject must be imperative: \"Add\", \"Fix\", not \"" $1 "\""
        }
        NR == 2 && $0 != "" { print "the second line must be blank" }
        NR > 2 && /[^ ]/ { body = 1 }
        END { if (!body) print "the commit has no body that says why" }'
}

if [ "${1-}" = --message ]; then
    [ -n "${2-}" ] && [ -r "$2" ] || { echo "check-commits: the file with the message cannot be read: ${2-}" >&2; exit 2; }
    # A merge has the message of Git.
    ! git rev-parse -q --verify MERGE_HEAD > /dev/null 2>&1 || exit 0
    # Git removes the comments, and everything after the line with the scissors.
    said=$(sed '/^. -* >8 -*$/,$d' "$2" | git stripspace --strip-comments | faults)
    [ -n "$said" ] || exit 0
    printf '%s\n' "$said" | sed 's/^/check-commits: /' >&2
    exit 1
fi

cd "$(dirname "$0")/.."

git rev-parse --git-dir > /dev/null 2>&1 || { echo "check-commits: this is not a repository"; exit 0; }
if [ $# -gt 0 ]; then
    range=$1..HEAD
elif git rev-parse -q --verify origin/main > /dev/null && [ -n "$(git rev-list origin/main..HEAD)" ]; then
    range=origin/main..HEAD
else
    range="-1 HEAD"
fi

count=0
failed=0
for commit in $(git rev-list --no-merges $range); do
    count=$((count + 1))
    said=$(git show -s --format=%B "$commit" | faults)
    if [ -n "$said" ]; then
        printf '%s\n' "$said" | while IFS= read -r line; do
            echo "check-commits: $(git show -s --format='%h "%s"' "$commit"): $line" >&2
        done
        failed=1
    fi
done
[ "$failed" -eq 0 ] || exit 1
echo "check-commits: $count commits have the required form"
