// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "holdfast-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: "..", traits: ["ChatSDK", "Servers"]),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
    ],
    targets: [
        // What the C library says of its heap, which no module of Swift's holds.
        .systemLibrary(name: "CMalloc"),
        // `prctl` takes a variable number of arguments: Swift cannot call it.
        .systemLibrary(name: "CSandbox"),
        .target(
            name: "BenchSupport",
            dependencies: ["CMalloc", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
        .executableTarget(
            name: "ChatBench",
            dependencies: [
                "BenchSupport", "CSandbox",
                .product(name: "ChatCenter", package: "holdfast"),
                .product(name: "ChatCenterTestSupport", package: "holdfast"),
                .product(name: "ChatDevServer", package: "holdfast"),
                .product(name: "HoldfastTestSupport", package: "holdfast"),
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .executableTarget(
            name: "WebSocketBench",
            dependencies: [
                "BenchSupport", "CMalloc",
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastNIO", package: "holdfast"),
                .product(name: "HoldfastTransport", package: "holdfast"),
                .product(name: "HoldfastWebSocket", package: "holdfast"),
                .product(name: "HoldfastWebSocketTestSupport", package: "holdfast"),
                .product(name: "HoldfastTestSupport", package: "holdfast"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                // For the answer of the bare peer to an upgrade, which holds a SHA-1.
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .executableTarget(
            name: "ClientBench",
            dependencies: [
                "BenchSupport",
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastNIO", package: "holdfast"),
                .product(name: "HoldfastTransport", package: "holdfast"),
                .product(name: "HoldfastTestSupport", package: "holdfast"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
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
