#!/bin/sh
# Builds the sample package with the plugins for SwiftPM, and checks them: valid policies pass, an unchanged file is not
# checked again, and a policy that ends soon fails the build and the command with the finding and its position.
#
# The sample has its own build folder, because a build with other dependencies would remove checkouts from the folder of
# this package. The folder is kept: only the first run compiles swift-crypto and the modules of the tool.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
sample=$root/Examples/PinnedPackage
builds=$root/.build-sample
policy=$sample/Sources/PinnedPackage/Policies/shop.holdfast.json
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset HOLDFAST_TARGETS HOLDFAST_TESTS HOLDFAST_PLUGINS HOLDFAST_SANITIZE

# The policy of the sample ends on 31 January 2040, and its notice is 60 days.
early=2039-11-01
late=2039-12-15
finding="shop.holdfast.json:5:5: warning: the pins of"

# attempt COMMAND...: runs a command of SwiftPM for the sample, and keeps its output and exit code.
attempt() {
    command=$1
    shift
    status=0
    swift "$command" --package-path "$sample" --scratch-path "$builds" "$@" >"$scratch/log" 2>&1 || status=$?
}

# expect passes|fails NAME [TEXT]: checks the last attempt, and that its output contains the text.
expect() {
    if [ "$status" -eq 0 ]; then result=passes; else result=fails; fi
    if [ "$result" != "$1" ]; then
        cat "$scratch/log" >&2
        echo "check-plugins: $2: the command $result, expected: $1" >&2
        exit 1
    fi
    [ -z "${3-}" ] || grep -qF -- "$3" "$scratch/log" || {
        cat "$scratch/log" >&2
        echo "check-plugins: $2: the output does not contain: $3" >&2
        exit 1
    }
}

# With the versions of this package, nothing is resolved again. SwiftPM removes the packages that the sample does not need
# from the copy. It makes a new plan after changes of the package's folder, so that this comes before the first build.
[ ! -f "$root/Package.resolved" ] || [ -f "$sample/Package.resolved" ] ||
    cp "$root/Package.resolved" "$sample/Package.resolved"
attempt package resolve
expect passes "resolving the sample's dependencies"

# The build. A changed file repeats the check, and so does a failure. SwiftPM makes a new plan in the second build, for
# another value of HOLDFAST_LINT_AT, and for each command. Then it compiles the plugins' tool again, which takes minutes.
export HOLDFAST_LINT_AT=$early
touch "$policy"
attempt build --target PinnedPackage
expect passes "a build before the notice" "the time of HOLDFAST_LINT_AT"
attempt build --target PinnedPackage
expect passes "a second build"
attempt build --target PinnedPackage
expect passes "a third build"
if grep -qF "Checking the pins" "$scratch/log"; then
    cat "$scratch/log" >&2
    echo "check-plugins: unchanged files were checked again" >&2
    exit 1
fi
touch "$policy"
attempt build --target PinnedPackage
expect passes "a build after a change" "Checking the pins of PinnedPackage"
cp -p "$policy" "$scratch/policy"
trap 'cp -p "$scratch/policy" "$policy"; rm -rf "$scratch"' EXIT
sed 's/2040-01-31/2039-11-30/' "$scratch/policy" >"$policy"
attempt build --target PinnedPackage
expect fails "a build within the notice" "$finding"
attempt build --target PinnedPackage
expect fails "a build after a failed check" "$finding"
cp "$scratch/policy" "$policy"
attempt build --target PinnedPackage
expect passes "a build with the corrected policy" "Checking the pins of PinnedPackage"
unset HOLDFAST_LINT_AT

# The command. It always checks. HoldfastLintTests has the other options and results.
attempt package holdfast-lint --at "$late" --target PinnedPackage
expect fails "the command within the notice" "$finding"

# The script of the action, with the tool that the plugins ran.
LINT_PINS_TOOL=$(find "$builds/" -type f -perm -100 \( -name holdfast-lint -o -name holdfast-lint-tool \) | head -n 1)
LINT_PINS_PACKAGE=$sample
LINT_PINS_AT=$late
export LINT_PINS_TOOL LINT_PINS_PACKAGE LINT_PINS_AT
action() {
    status=0
    sh "$root/.github/actions/lint-pins/lint-pins.sh" >"$scratch/log" 2>&1 || status=$?
}
[ -n "$LINT_PINS_TOOL" ] || { echo "check-plugins: holdfast-lint is not in $builds" >&2; exit 1; }
action
expect fails "the action within the notice" "$finding"
LINT_PINS_AT=$early
action
expect passes "the action before the notice" "no findings in 2 files"
LINT_PINS_PATHS=$policy
export LINT_PINS_PATHS
action
expect passes "the action for a path" "no findings in 1 file"
echo "check-plugins: the plugins and the action check the sample package"
