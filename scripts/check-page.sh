#!/bin/sh
# Checks that the article Page-and-Protocol of ChatPage has one row for each public property of the chat screen's state
# and for each intent of a page. A row names the element on the page, a test and a picture, which must exist. Rows of
# removed properties are errors.
#
# A test is `test_FILE.test_NAME` in Tests/Browser, or `Suite.test` of a Swift test.
set -eu
cd "$(dirname "$0")/.."

screen=$(echo Sources/*/ChatCenterCore/Screen)
intents=$(echo Sources/*/ChatPage/Intents/PageIntent.swift)
page=$(echo Sources/*/ChatPage/Documentation.docc)/Page-and-Protocol.md

fail() {
    echo "check-page: $*" >&2
    exit 1
}

[ -f "$page" ] || fail "$page is missing"
[ -f "$screen/ChatScreenState.swift" ] || fail "$screen/ChatScreenState.swift is missing"
[ -f "$intents" ] || fail "$intents is missing"

# Prints TYPE.PROPERTY for each public property of the types of the screen, and PageIntent.CASE for each intent.
names() {
    awk '
        { indent = match($0, /[^ ]/) - 1 }
        /^ *(public )?(struct|enum|extension) [A-Z]/ {
            name = $0
            sub(/^ *(public )?(struct|enum|extension) /, "", name)
            sub(/[^A-Za-z0-9_.].*/, "", name)
            types[indent] = (indent >= 4 ? types[indent - 4] "." : "") name
        }
        /^ +public ((internal|private|package)\(set\) )?(var|let) / {
            name = $0
            sub(/^ +public ((internal|private|package)\(set\) )?(var|let) /, "", name)
            sub(/[^A-Za-z0-9_].*/, "", name)
            if (name != "description") print types[indent - 4] "." name
        }' "$screen"/*.swift
    awk '
        /^public enum PageIntent[ :]/ { ours = 1 }
        /^}/ { ours = 0 }
        ours && /^    case [a-z]/ {
            name = $0
            sub(/^    case /, "", name)
            sub(/[^A-Za-z0-9_].*/, "", name)
            print "PageIntent." name
        }' "$intents"
}
fields=$(names | sort -u)
printf '%s\n' "$fields" | grep -q '^ChatScreenState\.' || fail "no property of ChatScreenState could be parsed"
printf '%s\n' "$fields" | grep -q '^PageIntent\.' || fail "no case of PageIntent could be parsed"

status=0
complain() {
    echo "check-page: $*" >&2
    status=1
}

for field in $fields; do
    row=$(grep -F "| \`$field\` |" "$page" || true)
    if [ -z "$row" ]; then
        complain "$field has no row in $page"
        continue
    fi
    [ "$(printf '%s\n' "$row" | wc -l)" -eq 1 ] || { complain "$field has several rows in $page"; continue; }
    element=$(printf '%s\n' "$row" | awk -F' [|] ' '{ print $2 }')
    test=$(printf '%s\n' "$row" | awk -F' [|] ' '{ print $3 }' | sed -n 's/^`\([A-Za-z0-9_]*\.[A-Za-z0-9_]*\)`$/\1/p')
    picture=$(printf '%s\n' "$row" | awk -F' [|] ' '{ sub(/ *[|]$/, "", $4); print $4 }')
    [ -n "$element" ] || complain "the row of $field names no element"
    case $test in
        '') complain "the row of $field does not name a test" ;;
        test_*)
            grep -qs "def ${test#*.}(" "Tests/Browser/${test%%.*}.py" ||
                complain "$field: the test Tests/Browser/${test%%.*}.py ${test#*.} does not exist"
            ;;
        *)
            find Tests -name "${test%%.*}.swift" -exec grep -l "func ${test#*.}(" {} + | grep -q . ||
                complain "$field: the test $test does not exist"
            ;;
    esac
    case $picture in
        '') complain "the row of $field names no picture; write - if it cannot be seen" ;;
        -) ;;
        *) [ -f "docs/images/$picture.png" ] || complain "$field: the picture docs/images/$picture.png does not exist" ;;
    esac
done

for field in $(sed -n 's/^| `\([A-Z][A-Za-z.]*\.[a-z][A-Za-z]*\)` |.*/\1/p' "$page"); do
    printf '%s\n' "$fields" | grep -qxF "$field" ||
        complain "$page has a row for $field, which is neither a property of the screen nor an intent"
done

[ "$status" -eq 0 ] || exit "$status"
echo "check-page: $(printf '%s\n' "$fields" | wc -l | tr -d ' ') properties and intents, each with an element and a test"
