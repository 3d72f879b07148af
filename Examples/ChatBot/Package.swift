// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "ChatBot",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // Your package writes a URL and a version instead of the path.
        .package(name: "holdfast", path: "../..", traits: ["ChatSDK"]),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "ChatBot",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ChatCenter", package: "holdfast"),
            ])
    ]
)
