// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "holdfast-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    ],
    targets: [
        .executableTarget(
            name: "HandshakeCost",
            dependencies: [
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastNIO", package: "holdfast"),
                .product(name: "HoldfastTestSupport", package: "holdfast"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .executableTarget(
            name: "TrustCost",
            dependencies: [
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastTestSupport", package: "holdfast"),
                .product(name: "X509", package: "swift-certificates"),
                // For CNIOBoringSSL, the library beneath it, which is no product of its own.
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
