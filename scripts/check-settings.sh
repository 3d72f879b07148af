#!/bin/sh
# Checks that every setting of the chat SDK has a row in docs/reference/settings.md with a test that uses the setting. This way,
# no setting can exist without an effect. Rows of removed settings are errors.
set -eu
cd "$(dirname "$0")/.."

sources=$(echo Sources/*/ChatCenter)
page=docs/reference/settings.md
types='ChatConfig ChatTransportConfig ChatNetworkConfig HTTPConfig WSConfig SSLPinningConfig ChatLoggerConfig ChatAuth
ChatUser ChatLocalizationConfig ChatTheme'
# Properties that describe a value and are not settings.
told='description debugDescription customMirror tokens missingKeys'

[ -f "$page" ] || { echo "check-settings: $page is missing" >&2; exit 1; }

# Prints TYPE.FIELD for each public property, and for each parameter of a public initializer.
fields() {
    for type in $types; do
        files=$(grep -rlE "^(public struct|extension) $type( |:|\$)" "$sources" --include='*.swift' || true)
        [ -n "$files" ] || { echo "check-settings: the type $type does not exist" >&2; return 1; }
        # shellcheck disable=SC2086
        awk -v type="$type" -v told=" $told " '
            function parameters(text,   count, parts, i, head, words, n) {
                count = split(text, parts, ",")
                for (i = 1; i <= count; i++) {
                    if (index(parts[i], ":") == 0) continue
                    head = parts[i]
                    sub(/:.*/, "", head)
                    n = split(head, words, /[ \t\n(]+/)
                    if (words[n] ~ /^[a-z][A-Za-z0-9]*$/) print type "." words[n]
                }
            }
            FNR == 1 { ours = 0; collecting = 0 }
            /^(public |package )?(struct|enum|final class|class|extension|protocol) / {
                ours = $0 ~ "(struct|extension) " type "( |:|$)"
            }
            !ours { next }
            /^    public (private\(set\) |internal\(set\) )?(var|let) / {
                name = $0
                sub(/^    public (private\(set\) |internal\(set\) )?(var|let) /, "", name)
                sub(/[^A-Za-z0-9].*/, "", name)
                if (index(told, " " name " ") == 0) print type "." name
            }
            /^    public init\(/ { collecting = 1; text = ""; sub(/^    public init\(/, "") }
            collecting {
                end = index($0, ") {") || $0 ~ /^    \)/
                line = $0
                sub(/\) *(throws.*)?\{.*/, "", line)
                text = text "\n" line
                if (end) { parameters(text); collecting = 0 }
            }' $files || return 1
    done | sort -u
}

found=$(fields) || exit 1
status=0

for field in $found; do
    row=$(grep -F "| \`$field\` |" "$page" || true)
    if [ -z "$row" ]; then
        echo "check-settings: $field has no row in $page" >&2
        status=1
        continue
    fi
    # The last cell is `Suite.test`.
    test=$(printf '%s\n' "$row" | awk -F'|' '{ print $(NF - 1) }' | sed -n 's/^ *`\([A-Za-z0-9]*\.[A-Za-z0-9]*\)`.*/\1/p')
    if [ -z "$test" ]; then
        echo "check-settings: the row of $field does not name a test" >&2
        status=1
        continue
    fi
    # Two modules may have suites with the same name.
    file=$(find Tests -name "${test%%.*}.swift" -exec grep -lE "func ${test#*.}\(" {} + | head -n 1)
    if [ -z "$file" ]; then
        echo "check-settings: $field: the test $test does not exist" >&2
        status=1
    elif ! grep -qw -- "${field#*.}" "$file"; then
        echo "check-settings: $field: $test does not mention ${field#*.}" >&2
        status=1
    fi
done

for field in $(sed -n 's/^| `\([A-Za-z]*\.[A-Za-z]*\)` |.*/\1/p' "$page"); do
    printf '%s\n' "$found" | grep -qxF "$field" || {
        echo "check-settings: $page has a row for $field, which is not a setting" >&2
        status=1
    }
done

[ "$status" = 0 ] || exit "$status"
echo "check-settings: $(printf '%s\n' "$found" | wc -l | tr -d ' ') settings, each with a test"
