// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "bank",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../holdfast", traits: [])],
    targets: [
        .executableTarget(
            name: "Bank",
            dependencies: [
                .product(name: "HoldfastNetworking", package: "holdfast"),
                .product(name: "HoldfastTransport", package: "holdfast"),
                .product(name: "HoldfastTrust", package: "holdfast"),
            ])
    ]
)
