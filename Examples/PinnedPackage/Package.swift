// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "PinnedPackage",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "PinnedPackage", targets: ["PinnedPackage"])
    ],
    dependencies: [
        // Another package writes a URL and a version instead of the path. The plugins do not need any trait.
        .package(name: "holdfast", path: "../..", traits: [])
    ],
    targets: [
        .target(
            name: "PinnedPackage",
            resources: [.copy("Policies")],
            plugins: [.plugin(name: "HoldfastLintPlugin", package: "holdfast")])
    ]
)
