// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "PinnedService",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // Your package writes a URL and a version instead of the path.
        .package(name: "holdfast", path: "../..", traits: []),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "PinnedService",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HoldfastTransport", package: "holdfast"),
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ])
    ]
)
