#!/bin/sh
# Checks which packages a package that depends on Holdfast resolves. With `traits: []` it resolves neither GRDB nor
# Hummingbird, with ChatSDK it resolves GRDB, and by default both. Only servers resolve Swift Configuration. PostgreSQL
# adds no package. The test kit needs no trait. No consumer resolves the packages that only the examples and benchmarks
# need.
set -eu
unset HOLDFAST_TARGETS HOLDFAST_POSTGRESQL
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# resolve NAME TRAITS [PRODUCT]: resolves a consumer with these traits in $scratch/NAME, and prints the packages'
# identities.
resolve() {
    product=${3-HoldfastTransport}
    mkdir -p "$scratch/$1/Sources/Consumer"
    echo "import $product" > "$scratch/$1/Sources/Consumer/Consumer.swift"
    cat > "$scratch/$1/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "holdfast", path: "$root"$2)],
    targets: [
        .target(name: "Consumer", dependencies: [.product(name: "$product", package: "holdfast")])
    ]
)
MANIFEST
    swift package --package-path "$scratch/$1" resolve >"$scratch/$1/log" 2>&1 || {
        cat "$scratch/$1/log" >&2
        echo "check-traits: the package $1 could not be resolved" >&2
        exit 1
    }
    sed -n 's/.*"identity" : "\(.*\)".*/\1/p' "$scratch/$1/Package.resolved"
}

# expect NAME yes|no PACKAGE: checks whether the consumer NAME resolved PACKAGE.
expect() {
    if grep -qx "$3" "$scratch/$1.txt"; then found=yes; else found=no; fi
    [ "$found" = "$2" ] || {
        echo "check-traits: $1: '$3' resolved: $found, expected: $2" >&2
        exit 1
    }
}

resolve no-traits ', traits: []' > "$scratch/no-traits.txt"
resolve chat-only ', traits: ["ChatSDK"]' > "$scratch/chat-only.txt"
resolve test-kit ', traits: []' HoldfastTestKit > "$scratch/test-kit.txt"
resolve defaults '' > "$scratch/defaults.txt"
resolve postgresql ', traits: ["PostgreSQL"]' > "$scratch/postgresql.txt"

expect no-traits yes swift-nio-ssl
expect no-traits no grdb.swift
expect no-traits no hummingbird
expect no-traits no swift-configuration
expect test-kit yes swift-nio-ssl
expect test-kit no grdb.swift
expect test-kit no hummingbird
expect chat-only yes grdb.swift
expect chat-only no hummingbird
expect chat-only no swift-configuration
expect defaults yes grdb.swift
expect defaults yes hummingbird
expect defaults yes swift-configuration
expect defaults yes swift-service-lifecycle
cmp "$scratch/defaults.txt" "$scratch/postgresql.txt" >&2 || {
    echo "check-traits: the trait PostgreSQL resolves other packages than the default" >&2
    exit 1
}
expect no-traits no async-http-client
expect defaults no grpc-swift-2
expect defaults no grpc-swift-nio-transport
echo "check-traits: each set of traits resolves only the packages that it needs"
