// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "holdfast-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "..", traits: [])],
    targets: [
        // A plain driver: the corpus, seeded mutations, no special build.
        .executableTarget(
            name: "holdfast-fuzz",
            dependencies: [
                .product(name: "HoldfastFuzzing", package: "holdfast"),
                .product(name: "HoldfastTestSupport", package: "holdfast"),
                .product(name: "HoldfastTrust", package: "holdfast"),
            ]),
        // libFuzzer's entry point. It has no main function of its own: build it with -sanitize=fuzzer alone.
        .executableTarget(
            name: "HoldfastFuzzer", dependencies: [.product(name: "HoldfastFuzzing", package: "holdfast")]),
    ],
    swiftLanguageModes: [.v6]
)
