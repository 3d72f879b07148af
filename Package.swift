// swift-tools-version: 6.2

import PackageDescription

/// Whether another package depends on this one. A dependency is compiled with the default flags.
let isDependency = ["/checkouts/", "/registry/downloads/"].contains { Context.packageDirectory.contains($0) }

/// Warnings are errors with the compilers that run the tests. They are not errors with newer compilers, which have new
/// warnings, and on Apple platforms, where the code is only type-checked.
#if os(Linux) && compiler(<6.4)
let warnings: [SwiftSetting] = isDependency ? [] : [.treatAllWarnings(as: .error)]
#else
let warnings: [SwiftSetting] = []
#endif

/// The trait that is on by default. `./run` sets `HOLDFAST_POSTGRESQL=on` where libpq is installed. A package that
/// depends on this one never gets PostgreSQL by default.
let defaultTrait = Context.environment["HOLDFAST_POSTGRESQL"] == "on" && !isDependency ? "PostgreSQL" : "Servers"

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + warnings

/// Settings of the chat's cores and their simulation. They are optimized in a debug build, because the tests run them
/// with thousands of seeds. With the whole module at once, a world takes a fifth less time. Xcode refuses such flags in
/// a dependency.
let coreSettings: [SwiftSetting] =
    settings + (isDependency ? [] : [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"], .when(configuration: .debug))])

// MARK: - Products of other packages

let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let collections: Target.Dependency = .product(name: "Collections", package: "swift-collections")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1: Target.Dependency = .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioHTTPTypesHTTP2: Target.Dependency = .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let nioResumableUpload: Target.Dependency = .product(name: "NIOResumableUpload", package: "swift-nio-extras")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let metricsTestKit: Target.Dependency = .product(name: "MetricsTestKit", package: "swift-metrics")
let tracing: Target.Dependency = .product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing: Target.Dependency = .product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(
    name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["ChatSDK", "Servers", "PostgreSQL"]))
let hummingbird: Target.Dependency = .product(
    name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Servers", "PostgreSQL"]))
let hummingbirdCore: Target.Dependency = .product(
    name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Servers", "PostgreSQL"]))
let serviceLifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: .when(traits: ["Servers", "PostgreSQL"]))
let serviceLifecycleTestKit: Target.Dependency = .product(
    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
    condition: .when(traits: ["Servers", "PostgreSQL"]))
let serverSettings: Target.Dependency = .product(
    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Servers", "PostgreSQL"]))
/// The system's libpq. Without the trait, nothing is linked with it, even where it is installed.
let libpq: Target.Dependency = .target(name: "CLibPQ", condition: .when(traits: ["PostgreSQL"]))
let nioFileSystem: Target.Dependency = .product(name: "_NIOFileSystem", package: "swift-nio")

// MARK: - Targets

/// Returns a module in the folder of its group.
func module(
    _ name: String, in group: String, _ dependencies: [Target.Dependency], exclude: [String] = [],
    settings: [SwiftSetting] = settings
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", exclude: exclude,
        swiftSettings: settings)
}

/// Returns a program in the folder of its group.
func program(_ name: String, in group: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", swiftSettings: settings)
}

/// The test targets to include; `nil` for all. `HOLDFAST_TESTS=HoldfastTrustTests,ChatWireTests` leaves out all others.
/// CONTRIBUTING.md describes how to build only these targets.
let wantedTests: Set<String>? = Context.environment["HOLDFAST_TESTS"].map {
    Set($0.split(separator: ",").map(String.init))
}

/// Returns the test target of a module in the folder of its group. Tests of several modules have no group.
func tests(
    _ name: String, in group: String? = nil, _ dependencies: [Target.Dependency], resources: [Resource]? = nil,
    settings: [SwiftSetting] = settings
) -> [Target] {
    if let wantedTests, !wantedTests.contains(name) { return [] }
    return [
        .testTarget(
            name: name, dependencies: dependencies, path: group.map { "Tests/\($0)/\(name)" } ?? "Tests/\(name)",
            resources: resources, swiftSettings: settings)
    ]
}

let package = Package(
    name: "holdfast",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "HoldfastTrust", targets: ["HoldfastTrust"]),
        .library(name: "HoldfastFormats", targets: ["HoldfastFormats"]),
        .library(name: "HoldfastNIO", targets: ["HoldfastNIO"]),
        .library(name: "HoldfastTransport", targets: ["HoldfastTransport"]),
        .library(name: "HoldfastWebSocket", targets: ["HoldfastWebSocket"]),
        .library(name: "HoldfastNetworking", targets: ["HoldfastNetworking"]),
        .library(name: "HoldfastCompatibility", targets: ["HoldfastCompatibility"]),
        .library(name: "ChatCenter", targets: ["ChatCenter"]),
        .library(name: "ChatPage", targets: ["ChatPage"]),
        .library(name: "ChatPageServer", targets: ["ChatPageServer"]),
        .library(name: "ChatCenterUI", targets: ["ChatCenterUI"]),
        .library(name: "ChatDevServer", targets: ["ChatDevServer"]),
        .library(name: "PinReportCollector", targets: ["PinReportCollector"]),
        .library(name: "HoldfastTestSupport", targets: ["HoldfastTestSupport"]),
        .library(name: "HoldfastTestKit", targets: ["HoldfastTestKit"]),
        .executable(name: "holdfast", targets: ["HoldfastTool"]),
        .executable(name: "holdfast-lint", targets: ["holdfast-lint"]),
    ],
    traits: [
        .trait(name: "ChatSDK", description: "The chat SDK with its SQLite store (GRDB)."),
        .trait(name: "Servers", description: "All products: also the development servers (Hummingbird, GRDB)."),
        .trait(name: "PostgreSQL", description: "All products, and collectors that use PostgreSQL (libpq)."),
        // The default is only one trait, and each trait includes those above it. SwiftPM passes each enabled trait as a
        // compiler flag, in random order. With two traits, a new build plan might therefore compile every module again.
        .default(enabledTraits: [defaultTrait]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections.git", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        // MARK: Base
        module("HoldfastBase", in: "Base", [], settings: coreSettings),
        module("HoldfastSystem", in: "Base", ["HoldfastBase"]),

        // MARK: Trust
        module("HoldfastTrust", in: "Trust", ["HoldfastBase", "HoldfastSystem", crypto, cryptoExtras]),
        module("HoldfastFormats", in: "Trust", ["HoldfastBase", "HoldfastTrust"]),

        // MARK: Transport
        module(
            "HoldfastNIO", in: "Transport",
            ["HoldfastSystem", "HoldfastTrust", nioCore, nioPosix, nioTLS, nioSSL, metrics]),
        .systemLibrary(name: "CZlib", path: "Sources/Transport/CZlib"),
        module(
            "HoldfastTransport", in: "Transport",
            [
                "HoldfastBase", "HoldfastSystem", "HoldfastTrust", "HoldfastNIO", "CZlib", nioCore, nioPosix, nioHTTP2,
                nioHPACK, httpTypes, crypto, collections, logging, metrics, tracing,
            ]),
        module(
            "HoldfastWebSocket", in: "Transport",
            [
                "HoldfastSystem", "HoldfastTransport", "HoldfastNIO", nioCore, nioTLS, httpTypes, collections, crypto,
                logging,
            ]),

        // MARK: Surfaces
        module(
            "HoldfastNetworking", in: "Surfaces",
            ["HoldfastBase", "HoldfastSystem", "HoldfastTrust", "HoldfastTransport", httpTypes, crypto, logging]),
        module(
            "HoldfastCompatibility", in: "Surfaces",
            ["HoldfastBase", "HoldfastTrust", "HoldfastFormats", "HoldfastNetworking", logging]),

        // MARK: Chat
        module("ChatWire", in: "Chat", ["HoldfastBase", collections], settings: coreSettings),
        module("ChatCenterCore", in: "Chat", ["HoldfastBase", "ChatWire"], settings: coreSettings),
        module(
            "ChatCenter", in: "Chat",
            [
                "HoldfastBase", "HoldfastSystem", "ChatWire", "ChatCenterCore", "HoldfastTrust", "HoldfastTransport",
                "HoldfastWebSocket", httpTypes, collections, logging, crypto, grdb,
            ]),
        module(
            "ChatPage", in: "Chat", ["HoldfastBase", "ChatCenterCore"], exclude: ["Web"], settings: coreSettings),
        module("ChatCenterUI", in: "Chat", ["ChatCenter", "ChatCenterCore"]),

        // MARK: Servers
        module(
            "ServerKit", in: "Servers",
            [
                "HoldfastSystem", "HoldfastTrust", grdb, nioCore, nioSSL, nioHTTP2, nioHTTPTypes, nioHTTPTypesHTTP2,
                hummingbirdCore, logging, crypto, httpTypes,
            ]),
        module("ServerMarkup", in: "Servers", []),
        module("ChatServerCore", in: "Servers", ["HoldfastBase", "ChatWire", collections], settings: coreSettings),
        module(
            "ChatDevServer", in: "Servers",
            [
                "HoldfastBase", "ServerKit", "ServerMarkup", "ChatWire", "ChatServerCore", "HoldfastSystem",
                "HoldfastTestSupport", "HoldfastWebSocket",
                "HoldfastTrust", nioCore, nioPosix, nioHTTP1, nioSSL, nioFileSystem, httpTypes, logging, grdb,
                hummingbird, hummingbirdCore, serviceLifecycle,
            ], exclude: ["Desk/Web"]),
        module(
            "ChatPageServer", in: "Servers",
            [
                "HoldfastBase", "HoldfastSystem", "HoldfastTrust", "HoldfastTransport", "HoldfastWebSocket", "ChatPage",
                "ChatCenter", "ChatCenterCore", "ServerKit", nioCore, nioPosix, nioSSL, nioFileSystem, httpTypes,
                logging, crypto, hummingbird, hummingbirdCore, serviceLifecycle,
            ]),
        .systemLibrary(
            name: "CLibPQ", path: "Sources/Servers/CLibPQ", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        module("PostgreSQLClient", in: "Servers", ["HoldfastSystem", libpq, nioPosix]),
        module("PinReports", in: "Servers", ["HoldfastBase", "HoldfastTrust", httpTypes]),
        module(
            "PinReportDesk", in: "Servers", ["HoldfastTrust", "PinReports", "ServerMarkup"],
            exclude: ["Web"]),
        module(
            "PinReportCollector", in: "Servers",
            [
                "PinReports", "PinReportDesk", "PostgreSQLClient", "ServerKit", "ServerMarkup", "HoldfastBase",
                "HoldfastTrust", "HoldfastSystem", "HoldfastTransport", nioCore, nioPosix, nioSSL, httpTypes, crypto,
                logging, grdb, hummingbirdCore, serviceLifecycle,
            ]),

        // MARK: Lab and tool
        module(
            "ChatSimulation", in: "Lab",
            ["HoldfastBase", "ChatWire", "ChatCenterCore", "ChatCenterCoreTestSupport", "ChatServerCore"],
            settings: coreSettings),
        module(
            "ChatCenterCoreTestSupport", in: "Lab", ["ChatCenterCore", "ChatWire", collections], settings: coreSettings),
        module(
            "HoldfastTestSupport", in: "Lab",
            ["HoldfastBase", "HoldfastSystem", "HoldfastTrust", asn1, crypto, cryptoExtras, logging]),
        module(
            "HoldfastTransportTestSupport", in: "Lab",
            [
                "HoldfastSystem", "HoldfastTestSupport", "HoldfastTrust", "CZlib", nioCore, nioPosix, nioSSL, nioTLS,
                nioHTTP1, nioHTTP2, nioHPACK,
            ]),
        module(
            "HoldfastTestKit", in: "Lab",
            [
                "HoldfastBase", "HoldfastSystem", "HoldfastTestSupport", "HoldfastTrust", "HoldfastTransport",
                "HoldfastWebSocket", "HoldfastNetworking", "PinReports", httpTypes, nioCore, nioPosix, nioSSL, nioTLS,
                nioHTTP1,
            ]),
        module("HoldfastWebSocketTestSupport", in: "Lab", ["HoldfastWebSocket", nioCore]),
        module(
            "FleetSimulation", in: "Lab", ["HoldfastBase", "HoldfastTrust", "HoldfastTransport"],
            settings: coreSettings),
        module("ChatDriverSimulation", in: "Lab", ["ChatCenter", "ChatCenterCore", "ChatSimulation", "ChatWire"]),
        module("ChatCenterTestSupport", in: "Lab", ["ChatCenter", "ChatCenterCore", "ChatWire"]),
        module(
            "HoldfastSoak", in: "Lab",
            ["HoldfastTransport", "HoldfastTransportTestSupport", "HoldfastTestSupport", "HoldfastTrust", httpTypes]),
        module(
            "HoldfastDifferential", in: "Lab",
            ["HoldfastTrust", "HoldfastTestSupport", "HoldfastTransportTestSupport"]),
        module(
            "HoldfastFuzzing", in: "Lab",
            [
                "HoldfastBase", "HoldfastTrust", "HoldfastFormats", "HoldfastTransport", "HoldfastWebSocket",
                "ChatPage", httpTypes,
            ]),
        module(
            "HoldfastLint", in: "Tool",
            ["HoldfastBase", "HoldfastSystem", "HoldfastTrust", "HoldfastFormats", arguments]),
        // Like its product, because SwiftPM looks for a plugin's tool by the name of the target.
        program("holdfast-lint", in: "Tool", ["HoldfastLint", "HoldfastTrust", arguments]),
        program(
            "HoldfastTool", in: "Tool",
            [
                "HoldfastBase", "HoldfastSystem", "HoldfastTrust", "HoldfastFormats", "HoldfastLint", "HoldfastNIO",
                "HoldfastTransport",
                "HoldfastWebSocket", "HoldfastTestSupport", "ChatCenter", "ChatDevServer", "ChatPageServer",
                "ChatSimulation",
                "ChatDriverSimulation", "FleetSimulation", "PinReportCollector", arguments, httpTypes, logging,
                nioCore, nioPosix, nioSSL, serverSettings,
            ]),
        program(
            "holdfast-conformance", in: "Lab",
            [
                "HoldfastTrust", "HoldfastTestSupport", "HoldfastSoak", "HoldfastDifferential", "HoldfastWebSocket",
                nioCore, nioPosix, arguments,
            ]),
    ]
        + tests("HoldfastBaseTests", in: "Base", ["HoldfastBase"])
        + tests("HoldfastSystemTests", in: "Base", ["HoldfastSystem"])
        + tests(
            "HoldfastTrustTests", in: "Trust",
            ["HoldfastBase", "HoldfastTrust", "HoldfastTestSupport", x509, asn1, crypto, cryptoExtras, logging])
        + tests(
            "HoldfastDifferentialTests", in: "Lab", ["HoldfastDifferential", "HoldfastTestSupport", "HoldfastTrust"])
        + tests("HoldfastFuzzingTests", in: "Lab", ["HoldfastFuzzing", "HoldfastTestSupport"])
        + tests(
            "HoldfastTestKitTests", in: "Lab",
            [
                "HoldfastTestKit", "HoldfastTestSupport", "HoldfastTransportTestSupport", "HoldfastTrust",
                "HoldfastTransport", "HoldfastWebSocket", "HoldfastNetworking", httpTypes, nioCore, nioPosix, nioSSL,
                nioTLS,
            ])
        + tests("HoldfastFormatsTests", in: "Trust", ["HoldfastFormats", "HoldfastTrust", "HoldfastTestSupport"])
        + tests(
            "HoldfastNIOTests", in: "Transport",
            [
                "HoldfastNIO", "HoldfastTestSupport", "HoldfastTransportTestSupport", "HoldfastTrust", nioEmbedded,
                nioSSL, nioPosix, nioTLS, metrics, metricsTestKit, nioCore,
            ])
        + tests(
            "HoldfastTransportTests", in: "Transport",
            [
                "HoldfastBase",
                "HoldfastTransport", "HoldfastNIO", "HoldfastTestSupport", "HoldfastTransportTestSupport",
                "HoldfastSoak", "HoldfastTrust", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioHPACK, nioEmbedded,
                httpTypes, logging, metrics, metricsTestKit, tracing, inMemoryTracing, nioHTTPTypes, nioHTTPTypesHTTP1,
                nioHTTPTypesHTTP2, nioResumableUpload,
            ])
        + tests(
            "HoldfastWebSocketTests", in: "Transport",
            [
                "HoldfastWebSocket", "HoldfastTransport", "HoldfastTrust", "HoldfastTestSupport",
                "HoldfastTransportTestSupport", "CZlib", nioCore, nioPosix, nioHTTP1, nioSSL, nioTLS, nioEmbedded,
                httpTypes,
            ])
        + tests(
            "HoldfastNetworkingTests", in: "Surfaces",
            [
                "HoldfastSystem", "HoldfastNetworking", "HoldfastTransport", "HoldfastTrust", "HoldfastWebSocket",
                "HoldfastTestSupport", "HoldfastTransportTestSupport", crypto, httpTypes, logging,
            ])
        + tests(
            "HoldfastCompatibilityTests", in: "Surfaces",
            [
                "HoldfastCompatibility", "HoldfastTransport", "HoldfastTrust", "HoldfastTestSupport",
                "HoldfastTransportTestSupport", logging,
            ])
        // Code written for other libraries, therefore in Swift 5 mode, without upcoming features, and with warnings.
        + tests(
            "SeedSamplesTests",
            [
                "HoldfastCompatibility", "HoldfastNetworking", "HoldfastTransport", "HoldfastTrust", "ChatCenter",
                "HoldfastTestSupport", "HoldfastTransportTestSupport", crypto,
            ], settings: [.swiftLanguageMode(.v5)])
        + tests("ChatWireTests", in: "Chat", ["ChatWire"])
        + tests(
            "ChatCenterCoreTests", in: "Chat",
            ["HoldfastBase", "ChatCenterCore", "ChatCenterCoreTestSupport", "ChatWire"])
        + tests(
            "ChatCenterTests", in: "Chat",
            [
                "HoldfastBase",
                "ChatCenter", "ChatCenterCore", "ChatCenterCoreTestSupport", "ChatWire", "ChatDevServer",
                "HoldfastTrust", "HoldfastFormats",
                "HoldfastTransport", "HoldfastWebSocket", "HoldfastTestSupport", "HoldfastTransportTestSupport",
                httpTypes, grdb,
            ])
        + tests("ChatCenterUITests", in: "Chat", ["ChatCenterUI", "ChatCenter", "ChatCenterCore", "ChatWire"])
        + tests(
            "ChatPageTests", in: "Chat", ["HoldfastBase", "ChatPage", "ChatCenterCore", "ChatWire"])
        + tests(
            "ServerKitTests", in: "Servers",
            ["ServerKit", "HoldfastTestSupport", httpTypes, grdb, nioCore, nioEmbedded, nioHTTP2, nioHTTPTypes])
        + tests("ChatServerCoreTests", in: "Servers", ["ChatServerCore", "ChatWire"])
        + tests(
            "ChatSimulationTests", in: "Lab",
            [
                "ChatSimulation", "ChatCenter", "ChatCenterCore", "ChatCenterCoreTestSupport", "ChatWire",
                "HoldfastTestSupport",
            ])
        + tests("FleetSimulationTests", in: "Lab", ["FleetSimulation"])
        + tests(
            "ChatDriverSimulationTests", in: "Lab", ["ChatDriverSimulation", "ChatSimulation", "HoldfastTestSupport"])
        + tests(
            "ChatDevServerTests", in: "Servers",
            [
                "ChatDevServer", "ChatServerCore", "ChatWire", "HoldfastSystem", "HoldfastTestSupport", "ServerMarkup",
                "HoldfastTransport", "HoldfastWebSocket", "HoldfastTrust", httpTypes, hummingbird, logging, grdb,
                nioCore, nioPosix, serviceLifecycle, serviceLifecycleTestKit,
            ])
        + tests(
            "ChatPageServerTests", in: "Servers",
            [
                "ChatPageServer", "ChatPage", "ChatCenter", "ChatCenterCore", "ChatDevServer", "HoldfastTrust",
                "HoldfastTransport", "HoldfastWebSocket", "ServerKit", httpTypes, hummingbird, nioCore, nioPosix,
                serviceLifecycle, serviceLifecycleTestKit,
            ])
        + tests(
            "PinReportDeskTests", in: "Servers",
            ["PinReportDesk", "PinReports", "ServerMarkup", "HoldfastTrust", "HoldfastTestSupport"])
        + tests(
            "PinReportCollectorTests", in: "Servers",
            [
                "PinReportCollector", "PinReportDesk", "PinReports", "PostgreSQLClient", "ServerKit", "HoldfastBase",
                "HoldfastSystem", "HoldfastTransport", "HoldfastTrust",
                "HoldfastTestKit", "HoldfastTestSupport", "HoldfastTransportTestSupport", httpTypes, grdb, nioCore,
                nioPosix, serviceLifecycle, serviceLifecycleTestKit,
            ])
        + tests(
            "HoldfastLintTests", in: "Tool",
            ["HoldfastBase", "HoldfastLint", "HoldfastTrust", "HoldfastTestSupport", arguments])
        + tests(
            "HoldfastToolTests", in: "Tool",
            [
                "HoldfastTool", "HoldfastBase", "HoldfastLint", "HoldfastTrust", "HoldfastTestSupport",
                "HoldfastTransportTestSupport",
                "HoldfastTransport", "HoldfastWebSocket", "ChatDevServer", "ChatSimulation", "ChatCenter",
                "HoldfastFormats", "HoldfastSystem", "PinReportCollector", arguments, logging, nioCore, nioPosix,
                nioSSL, httpTypes,
            ])
        + tests(
            "EndToEndTests",
            [
                "HoldfastTool", "HoldfastTrust", "HoldfastTransport", "HoldfastNetworking", "HoldfastTestSupport",
                "HoldfastTransportTestSupport", "ChatCenter", "ChatDevServer", httpTypes,
            ]),
    swiftLanguageModes: [.v6]
)

// MARK: - Benchmarks, fuzz drivers and examples

// `HOLDFAST_TARGETS=all` adds the programs in Benchmarks, Fuzz and Examples, and the packages that only they need. They
// share the modules of the normal build. `HOLDFAST_TARGETS=libfuzzer` links libFuzzer's entry point.
let wantedTargets = Context.environment["HOLDFAST_TARGETS"]

if wantedTargets == "all" || wantedTargets == "libfuzzer" {
    let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
    let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")

    package.dependencies += [
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    ]

    func program(_ folder: String, _ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting])
        -> Target
    {
        .executableTarget(
            name: name, dependencies: dependencies, path: "\(folder)/Sources/\(name)", swiftSettings: settings)
    }

    /// Returns the program of an example that is also a package of its own.
    func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "Examples/\(name)/Sources/\(name)", swiftSettings: warnings)
    }

    /// Returns the targets of a migration guide: the program after the change, and the one before it if its library is
    /// available. Both are in one folder. Each is a module of its own, because they have the same type.
    func migration(
        _ origin: String, before: [Target.Dependency] = [], after: [Target.Dependency],
        others: [String] = ["Before.swift"]
    ) -> [Target] {
        let path = "Examples/Migration/\(origin)"
        let changed = Target.target(
            name: "\(origin)After", dependencies: after, path: path, exclude: others, sources: ["After.swift"],
            swiftSettings: settings)
        if before.isEmpty { return [changed] }
        let original = Target.target(
            name: "\(origin)Before", dependencies: before, path: path, exclude: ["After.swift"],
            sources: ["Before.swift"], swiftSettings: warnings)
        return [changed, original]
    }

    package.targets += [
        // Reports the heap's size of the C library, which Swift modules do not provide.
        .systemLibrary(name: "CMalloc", path: "Benchmarks/Sources/CMalloc"),
        // Calls `prctl`, which is variadic and therefore not available in Swift.
        .systemLibrary(name: "CSandbox", path: "Benchmarks/Sources/CSandbox"),
        .target(
            name: "BenchSupport", dependencies: ["CMalloc", arguments, deque, nioCore, nioPosix],
            path: "Benchmarks/Sources/BenchSupport", swiftSettings: warnings),
        .target(
            name: "ChatBenchSupport",
            dependencies: ["ChatCenter", "ChatDevServer", "HoldfastTestSupport", "HoldfastTrust"],
            path: "Benchmarks/Sources/ChatBenchSupport", swiftSettings: warnings),
        program(
            "Benchmarks", "ChatBench",
            [
                "BenchSupport", "CSandbox", "ChatBenchSupport", "ChatCenter", "ChatCenterTestSupport",
                "ChatDevServer", "HoldfastTestSupport", "HoldfastTrust", arguments,
            ], warnings),
        program(
            "Benchmarks", "NetworkBench",
            [
                "BenchSupport", "ChatBenchSupport", "ChatCenter", "ChatDevServer", "HoldfastBase",
                "HoldfastTestSupport",
                "HoldfastTransport", "HoldfastTrust", arguments, asyncHTTPClient, crypto, httpTypes, nioCore, nioHTTP1,
                nioHTTP2, nioHTTPTypes, nioHTTPTypesHTTP1, nioHTTPTypesHTTP2, nioPosix, nioResumableUpload, nioSSL,
            ], warnings),
        program(
            "Benchmarks", "FleetBench",
            [
                "BenchSupport", "HoldfastBase", "HoldfastTrust", "HoldfastTestSupport", "PinReports", arguments, grdb,
                nioCore, nioPosix,
            ], warnings),
        program(
            "Benchmarks", "WebSocketBench",
            [
                "BenchSupport", "HoldfastTrust", "HoldfastNIO", "HoldfastTransport", "HoldfastWebSocket",
                "HoldfastWebSocketTestSupport", "HoldfastTestSupport", arguments, crypto, nioCore, nioPosix, nioHTTP1,
                nioWebSocket, nioSSL,
            ], warnings),
        program(
            "Benchmarks", "ClientBench",
            [
                "BenchSupport", "HoldfastBase", "HoldfastTrust", "HoldfastNIO", "HoldfastTransport",
                "HoldfastTestSupport",
                arguments, asyncHTTPClient, deque, httpTypes, metrics, nioCore, nioPosix, nioHTTP1, nioHTTP2, nioHPACK,
                nioSSL,
            ], warnings),
        program(
            "Benchmarks", "HandshakeCost",
            ["HoldfastTrust", "HoldfastNIO", "HoldfastTestSupport", nioCore, nioPosix, nioTLS, nioSSL], warnings),
        program(
            "Benchmarks", "InstructionCount",
            [
                "BenchSupport", "ChatCenter", "HoldfastNIO", "HoldfastTestKit", "HoldfastTransport", "HoldfastTrust",
                "HoldfastWebSocket", arguments, httpTypes, nioCore, nioPosix,
            ], warnings),
        // TrustCost and HoldfastTool also use CNIOBoringSSL, which is not a product but a part of NIOSSL.
        program("Benchmarks", "TrustCost", ["HoldfastTrust", "HoldfastTestSupport", x509, nioSSL], warnings),

        program("Fuzz", "holdfast-fuzz", ["HoldfastFuzzing", "HoldfastTestSupport", "HoldfastTrust"], warnings),
        // libFuzzer provides the main function, so that this program can only be linked with -sanitize=fuzzer.
        wantedTargets == "libfuzzer"
            ? program("Fuzz", "HoldfastFuzzer", ["HoldfastFuzzing"], warnings)
            : .target(
                name: "HoldfastFuzzer", dependencies: ["HoldfastFuzzing"], path: "Fuzz/Sources/HoldfastFuzzer",
                swiftSettings: warnings),

        .target(
            name: "ExampleServer",
            dependencies: [
                "HoldfastTrust", "HoldfastTestSupport", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioSSL,
            ], path: "Examples/Sources/ExampleServer", swiftSettings: settings),
        program(
            "Examples", "NIOPipeline",
            ["ExampleServer", "HoldfastTrust", "HoldfastNIO", nioCore, nioPosix, nioHTTP1], settings),
        program(
            "Examples", "GRPCClient",
            [
                "ExampleServer", "HoldfastTrust", "HoldfastNIO", nioCore,
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
            ], settings),
        program(
            "Examples", "AHCClient",
            ["ExampleServer", "HoldfastTestKit", "HoldfastTrust", asyncHTTPClient, nioCore, nioSSL], settings),

        // Each is also a package of its own. scripts/check-examples.sh compares the manifests.
        example("PinnedGet", ["HoldfastNetworking", "HoldfastTransport", "HoldfastTrust", arguments]),
        example("PinnedService", ["HoldfastTransport", "HoldfastTrust", httpTypes, hummingbird]),
        example("ChatBot", ["ChatCenter", arguments]),
        example(
            "ChatPageLogin",
            [
                "ChatCenter", "ChatDevServer", "ChatPageServer", "HoldfastTransport", "HoldfastTrust", httpTypes,
                hummingbird, nioCore,
            ]),
    ]

    package.targets +=
        migration("TrustKit", after: ["HoldfastNetworking", "HoldfastTransport", "HoldfastTrust"])
        + migration("Alamofire", after: ["HoldfastCompatibility", "HoldfastTransport"])
        + migration("GentleNetworking", after: ["HoldfastNetworking", "HoldfastTrust"])
        + migration("URLSession", after: ["HoldfastNetworking", "HoldfastTrust"])
        + migration(
            "AsyncHTTPClient", before: [asyncHTTPClient, nioSSL],
            after: ["HoldfastTransport", "HoldfastTrust", httpTypes])
        + migration(
            "OkHttp", after: ["HoldfastNetworking", "HoldfastTransport", "HoldfastTrust"], others: ["Before.kt"])
        + migration(
            "Android", after: ["HoldfastFormats", "HoldfastNetworking", "HoldfastTransport", "HoldfastTrust"],
            others: ["Before.kt", "network_security_config.xml"])
        + migration("Edna", after: ["ChatCenter"])
        + tests(
            "ExampleTests", in: "Examples",
            [
                "PinnedGet", "PinnedService", "ChatBot", "ChatDevServer", "HoldfastTestKit", "HoldfastTransport",
                "HoldfastTrust", httpTypes,
                hummingbird, arguments,
            ])
        + tests(
            "MigrationTests", in: "Examples",
            [
                "TrustKitAfter", "AlamofireAfter", "GentleNetworkingAfter", "URLSessionAfter", "AsyncHTTPClientBefore",
                "AsyncHTTPClientAfter", "OkHttpAfter", "AndroidAfter", "EdnaAfter", "ChatCenter", "ChatDevServer",
                "HoldfastTestKit", "HoldfastTransport", "HoldfastTrust",
            ])
}

// MARK: - Plugins

// For a plugin, SwiftPM compiles the tool and its modules a second time, for the machine that builds. `./run` and CI
// set `HOLDFAST_PLUGINS=off`, so that a change of these modules is not compiled twice. scripts/check-plugins.sh builds
// the plugins with the sample package.
if Context.environment["HOLDFAST_PLUGINS"] != "off" {
    package.products += [
        .plugin(name: "HoldfastLintPlugin", targets: ["HoldfastLintPlugin"]),
        .plugin(name: "HoldfastLintCommand", targets: ["HoldfastLintCommand"]),
    ]
    package.targets += [
        .plugin(name: "HoldfastLintPlugin", capability: .buildTool(), dependencies: ["holdfast-lint"]),
        .plugin(
            name: "HoldfastLintCommand",
            capability: .command(
                intent: .custom(
                    verb: "holdfast-lint",
                    description: "Find mistakes in the package's policies, property lists and certificate folders.")),
            dependencies: ["holdfast-lint"]),
    ]
}

// MARK: - Thread sanitizer

// `HOLDFAST_SANITIZE=thread` links a C target into the tests and programs. It reports the waits for a `Mutex` and for a
// continuation to the thread sanitizer. CONTRIBUTING.md has the commands.
if Context.environment["HOLDFAST_SANITIZE"] == "thread" {
    package.targets.append(.target(name: "ThreadSanitizerRuntime", path: "Sources/Lab/ThreadSanitizerRuntime"))
    for target in package.targets where target.type == .test || target.type == .executable {
        target.dependencies.append("ThreadSanitizerRuntime")
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("HOLDFAST_SANITIZE_THREAD")]
    }
}
