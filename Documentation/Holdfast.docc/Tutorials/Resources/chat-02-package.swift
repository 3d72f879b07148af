// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "support",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../holdfast", traits: ["ChatSDK"])],
    targets: [
        .executableTarget(name: "Support", dependencies: [.product(name: "ChatCenter", package: "holdfast")])
    ]
)
