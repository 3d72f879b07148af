#!/bin/sh
# Type-checks the code for Apple platforms on a machine without their frameworks. Modules with the same names and
# signatures, but without implementation, replace the frameworks (Tests/AppleStub). Every module is checked for macOS
# and for iOS (scripts/apple-branches.awk). Success means that the code compiles, not that it works: no test of Holdfast
# has run on Apple hardware.
#
#   scripts/check-apple.sh             builds the dependencies and checks all modules
#   scripts/check-apple.sh branches    only checks that every branch of the code is covered
set -eu
cd "$(dirname "$0")/.."

# The modules, sorted by their dependencies. Other modules have no conditions. Their normal build is used.
modules='HoldfastSystem HoldfastTrust HoldfastFormats HoldfastNIO HoldfastTransport HoldfastWebSocket HoldfastNetworking
    HoldfastCompatibility ChatCenter ChatCenterUI HoldfastTestSupport HoldfastTestKit HoldfastTransportTestSupport HoldfastFuzzing
    HoldfastSoak ServerKit ChatPageServer ChatDevServer PinReportCollector HoldfastTool holdfast-conformance'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Every branch for an Apple platform must be active for macOS or iOS, and belong to a checked module.
find Sources -name '*.swift' | sort >"$scratch/files"
for mode in macOS iOS; do
    xargs awk -v mode="$mode" -v list=1 -f scripts/apple-branches.awk <"$scratch/files" >"$scratch/$mode.branches"
done
grep -h ' active$' "$scratch/macOS.branches" "$scratch/iOS.branches" | sort -u >"$scratch/active"
sed 's/ inactive$/ active/' "$scratch/macOS.branches" | sort -u >"$scratch/all"
if missed=$(comm -13 "$scratch/active" "$scratch/all" | grep .); then
    printf '%s\n' "$missed" | sed 's/ active$/: no mode of scripts\/apple-branches.awk activates this branch/' >&2
    exit 1
fi
for folder in $(xargs grep -lE '^ *#if.*(canImport|os)\(' <"$scratch/files" | cut -d / -f 3 | sort -u); do
    printf '%s\n' $modules | grep -qx -- "$folder" || {
        echo "check-apple: the code of $folder has conditions and is not type-checked; add it to \$modules" >&2
        exit 1
    }
done
branches=$(wc -l <"$scratch/all")
[ "${1-}" != branches ] || { echo "check-apple: all $branches branches are covered"; exit 0; }

case $(uname -s) in
    Darwin) echo "check-apple: skipped, because the build uses the real frameworks"; exit 0 ;;
esac

swift build --product holdfast >"$scratch/log" 2>&1 && swift build --product holdfast-conformance >>"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; exit 1; }
built=$(swift build --show-bin-path)
plan=$(dirname "$(dirname "$built")")/debug.yaml
package=$(sed -n 's/.*"-module-name","HoldfastTrust",.*"-package-name","\([^"]*\)".*/\1/p' "$plan" | head -n 1)
features="-swift-version 6 -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility -warnings-as-errors -parse-as-library -package-name $package
    -plugin-path $(dirname "$(dirname "$(command -v swiftc)")")/lib/swift/host/plugins"

mkdir "$scratch/stubs"
for stub in Security Darwin AppleFoundation UIKit UserNotifications Network os CoreGraphics ImageIO \
    UniformTypeIdentifiers Accessibility CoreAudioTypes AVFAudio SwiftUI PhotosUI QuickLook; do
    swiftc -parse-as-library -swift-version 6 -enable-upcoming-feature InternalImportsByDefault -emit-module \
        -module-name "$stub" -emit-module-path "$scratch/stubs/$stub.swiftmodule" -I "$scratch/stubs" \
        "Tests/AppleStub/$stub"*.swift
done

# The module maps and header folders of all C modules, from the build's plan.
headers=$(grep -oE '"-fmodule-map-file=[^"]*"|"-I","[^"]*/include"' "$plan" | sort -u | tr -d '"' |
    sed 's/^-I,\(.*\)/-Xcc -I -Xcc \1/; s/^-fmodule/-Xcc &/')

# read_as MODE FOLDER: writes the module's code for that platform to $scratch/MODE/FOLDER.
read_as() {
    mkdir -p "$scratch/$1/$2"
    find Sources/*/"$2" -name '*.swift' | while read -r file; do
        awk -v mode="$1" -f scripts/apple-branches.awk "$file" >"$scratch/$1/$2/$(basename "$file")"
    done
}

# compile FOLDER OPTION...: runs the compiler for that module with the common options.
compile() {
    name=$(printf '%s' "$1" | tr - _)
    shift
    # shellcheck disable=SC2046,SC2086
    swiftc "$@" $features -module-name "$name" -I "$scratch/macOS" -I "$scratch/stubs" -I "$built/Modules" $headers
}

# bodies MODE FOLDER FILE...: type-checks the files with conditions, and FILE.
bodies() {
    where=$scratch/$1/$2
    module=$2
    shift 2
    primary="$(grep -lE '^ *#(if|elseif)' "$where"/*.swift || true) $*"
    [ "$primary" != ' ' ] || return 0
    # shellcheck disable=SC2046,SC2086
    compile "$module" -frontend -typecheck $(printf -- '-primary-file %s ' $primary) \
        $(grep -LE '^ *#(if|elseif)' "$where"/*.swift)
}

# both MODULE FILE...: type-checks the bodies for macOS, and also for iOS if the code differs.
both() {
    bodies macOS "$@"
    if ! diff -r "$scratch/macOS/$1" "$scratch/iOS/$1" >/dev/null; then bodies iOS "$1"; fi
}

# The bodies of a module are checked while the next module is compiled.
job=
for module in $modules; do
    read_as macOS "$module"
    read_as iOS "$module"
    compile "$module" -emit-module -emit-module-path "$scratch/macOS/$(printf '%s' "$module" | tr - _).swiftmodule" \
        -experimental-skip-non-inlinable-function-bodies "$scratch/macOS/$module"/*.swift
    uses=
    [ "$module" != HoldfastTrust ] || uses=Tests/AppleStub/Uses.swift
    [ "$module" != ChatCenterUI ] || uses=Tests/AppleStub/ChatUses.swift
    [ -z "$job" ] || wait "$job"
    # shellcheck disable=SC2086
    both "$module" $uses &
    job=$!
done
wait "$job"

# The example of an app, which uses the modules as an app does.
app=Examples/SupportApp/Sources/SupportApp
for mode in macOS iOS; do
    mkdir -p "$scratch/$mode/SupportApp"
    for file in "$app"/*.swift; do
        awk -v mode="$mode" -f scripts/apple-branches.awk "$file" >"$scratch/$mode/SupportApp/$(basename "$file")"
    done
    compile SupportApp -typecheck "$scratch/$mode/SupportApp"/*.swift
done

# The check itself must be able to fail: it must report a type error.
echo 'func broken(_ trust: SecTrust) -> Int { PlatformVerification.run(trust) }' >"$scratch/broken.swift"
if bodies macOS HoldfastTrust "$scratch/broken.swift" >/dev/null 2>&1; then
    echo "check-apple: a deliberate type error was not reported" >&2
    exit 1
fi
echo "check-apple: the code for Apple platforms type-checks, $branches branches (the code was not run)"
