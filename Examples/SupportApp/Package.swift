// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "SupportApp",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // Your package writes a URL and a version instead of the path.
        .package(name: "holdfast", path: "../..", traits: ["ChatSDK"])
    ],
    targets: [
        .target(
            name: "SupportApp",
            dependencies: [
                .product(name: "ChatCenter", package: "holdfast"),
                .product(name: "ChatCenterUI", package: "holdfast"),
            ])
    ]
)
