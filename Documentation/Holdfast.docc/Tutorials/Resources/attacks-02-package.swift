// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "weather",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../holdfast", traits: [])],
    targets: [
        .target(
            name: "Weather",
            dependencies: [
                .product(name: "HoldfastNetworking", package: "holdfast"),
                .product(name: "HoldfastTransport", package: "holdfast"),
                .product(name: "HoldfastTrust", package: "holdfast"),
            ]),
        .testTarget(
            name: "WeatherTests",
            dependencies: ["Weather", .product(name: "HoldfastTestKit", package: "holdfast")]),
    ]
)
