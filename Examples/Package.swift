// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "holdfast-examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ],
    targets: [
        .target(
            name: "ExampleServer",
            dependencies: [
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastTestSupport", package: "holdfast"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "NIOPipeline",
            dependencies: [
                "ExampleServer",
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastNIO", package: "holdfast"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "GRPCClient",
            dependencies: [
                "ExampleServer",
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastNIO", package: "holdfast"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "NIOCore", package: "swift-nio"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "AHCClient",
            dependencies: [
                "ExampleServer",
                .product(name: "HoldfastTrust", package: "holdfast"),
                .product(name: "HoldfastNIO", package: "holdfast"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
