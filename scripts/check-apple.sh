#!/bin/sh
# Type-checks the code for Apple's Security framework where that framework is missing: against a module of the same name that
# has the signatures it uses and nothing behind them (Tests/AppleStub). It says that the code compiles, not that it works:
# no test of Holdfast has run on Apple hardware.
set -eu
cd "$(dirname "$0")/.."

case $(uname -s) in
    Darwin) echo "check-apple: the real framework is here, and the build uses it"; exit 0 ;;
esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

swift build --target HoldfastTrust >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
modules=$(swift build --show-bin-path)/Modules
features="-enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility"

swiftc -parse-as-library -swift-version 6 $features -emit-module -module-name Security \
    -emit-module-path "$scratch/Security.swiftmodule" Tests/AppleStub/Security.swift

# check FILE...: type-checks HoldfastTrust with these files, as on a platform that has the framework.
check() {
    find Sources/HoldfastTrust -name '*.swift' -print0 | xargs -0 swiftc -typecheck -parse-as-library -swift-version 6 \
        $features -warnings-as-errors -package-name holdfast -module-name HoldfastTrust -I "$scratch" -I "$modules" "$@"
}

check Tests/AppleStub/Uses.swift

# The key chain: the file that knows the framework, and the errors that it throws. The rest of the module needs what is not
# built here.
keychain=Sources/HoldfastNetworking/KeyChain
swiftc -typecheck -parse-as-library -swift-version 6 $features -warnings-as-errors -module-name HoldfastNetworking \
    -I "$scratch" "$keychain/AppleKeyChain.swift" "$keychain/KeyChainStoreError.swift" \
    "$keychain/KeyChainFileError.swift" "$keychain/SecretServiceError.swift"

# A check that cannot fail says nothing: a signature that is not kept has to be noticed.
echo 'func broken(_ trust: SecTrust) -> Int { PlatformVerification.run(trust) }' >"$scratch/broken.swift"
if check "$scratch/broken.swift" >/dev/null 2>&1; then
    echo "check-apple: a type error was not noticed" >&2
    exit 1
fi
echo "check-apple: the code for Apple's SecTrust and key chain type-checks (it was not run)"
