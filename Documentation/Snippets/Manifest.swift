// Every line of the samples that belongs to a Package.swift. The samples show parts of a manifest.

import PackageDescription

let package = Package(
    name: "app",
    dependencies: [
        .package(name: "holdfast", path: "../holdfast", traits: []),      // your clone; traits: ["ChatSDK"] adds the chat
    ],
    targets: [
        .target(
            name: "Client",
            dependencies: [
                .product(name: "HoldfastNetworking", package: "holdfast"),        // in the target's dependencies; the same for
                .product(name: "HoldfastNIO", package: "holdfast"),
                .product(name: "HoldfastTrust", package: "holdfast"),
            ])
    ]
)

let pinned = Package(
    name: "pinned",
    dependencies: [
        .package(url: "https://github.com/owner/holdfast.git", revision: "0000000000000000000000000000000000000000", traits: [])
    ],
    targets: [
        .target(name: "App", plugins: [.plugin(name: "HoldfastLintPlugin", package: "holdfast")])
    ]
)
