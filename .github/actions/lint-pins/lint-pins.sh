#!/bin/sh
# Checks pins in CI: the step of the action, which also works in other CI systems. The variables are the inputs that
# action.yml describes. No variable becomes part of a command's text, and each becomes exactly one argument.
set -eu

fail() {
    echo "lint-pins: $*" >&2
    exit 2
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tool=${LINT_PINS_TOOL-}
if [ -z "$tool" ]; then
    source=$(CDPATH='' cd -- "$here/../../.." && pwd)
    command -v swift >/dev/null 2>&1 || fail "install Swift, or set the input 'tool' to the path of holdfast"
    # Without the default traits, the packages of the servers are not downloaded.
    HOLDFAST_PLUGINS=off
    export HOLDFAST_PLUGINS
    swift build --package-path "$source" --disable-default-traits --product holdfast-lint >&2 ||
        fail "holdfast-lint cannot be built"
    tool=$(swift build --package-path "$source" --disable-default-traits --show-bin-path)/holdfast-lint
fi

set --
case ${tool##*/} in holdfast) set -- lint ;; esac
[ -z "${LINT_PINS_WITHIN_DAYS-}" ] || set -- "$@" "--within-days=$LINT_PINS_WITHIN_DAYS"
[ -z "${LINT_PINS_AT-}" ] || set -- "$@" "--at=$LINT_PINS_AT"
case ${LINT_PINS_STRICT:-false} in
    true) set -- "$@" --strict ;;
    false) ;;
    *) fail "the input 'strict' must be true or false" ;;
esac
set -- "$@" "--format=${LINT_PINS_FORMAT:-text}"
if [ -z "${LINT_PINS_PATHS-}" ]; then
    set -- "$@" "--package=${LINT_PINS_PACKAGE:-.}"
else
    # After --, a path that begins with a hyphen is not an option.
    set -- "$@" --
    line_break='
'
    rest=$LINT_PINS_PATHS$line_break
    count=0
    while [ -n "$rest" ]; do
        path=${rest%%"$line_break"*}
        rest=${rest#*"$line_break"}
        [ -n "$path" ] || continue
        set -- "$@" "$path"
        count=$((count + 1))
    done
    [ "$count" -gt 0 ] || fail "the input 'paths' has only empty lines"
fi

status=0
if [ -z "${LINT_PINS_OUTPUT-}" ]; then
    "$tool" "$@" || status=$?
else
    # A relative path that begins with a hyphen must not be an option.
    case $LINT_PINS_OUTPUT in
        /*) result=$LINT_PINS_OUTPUT ;;
        *) result=./$LINT_PINS_OUTPUT ;;
    esac
    # After an unusable run there is no result. An empty file would hide the reason behind an error of its reader.
    [ -d "${result%/*}/" ] && [ ! -d "$result" ] || fail "the input 'output' must be a file in an existing folder"
    "$tool" "$@" >"$result.new" || status=$?
    case $status in
        0 | 1)
            mv -f -- "$result.new" "$result"
            echo "lint-pins: the result is in the file that the input 'output' names" >&2
            ;;
        *) rm -f -- "$result.new" ;;
    esac
fi
exit "$status"
