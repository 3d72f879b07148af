// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ChatPageLogin",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // Your package writes a URL and a version instead of the path.
        .package(name: "holdfast", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "ChatPageLogin",
            dependencies: [
                .product(name: "ChatCenter", package: "holdfast"),
                .product(name: "ChatDevServer", package: "holdfast"),
                .product(name: "ChatPageServer", package: "holdfast"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HoldfastTransport", package: "holdfast"),
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
            ])
    ]
)
