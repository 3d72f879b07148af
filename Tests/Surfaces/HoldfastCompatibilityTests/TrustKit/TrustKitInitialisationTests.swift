import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import Logging
import Testing

/// Where TrustKit raises exceptions, Holdfast does not trap but blocks every connection. Each test has its own shared
/// instance.
@Suite struct TrustKitInitialisationTests {
    private static let host = CompatibilityScene.host
    private let scene: CompatibilityScene
    private let log = RecordingLogHandler()

    init() throws {
        scene = try CompatibilityScene()
    }

    private var environment: TrustKitEnvironment {
        TrustKitEnvironment(anchors: scene.anchors, clock: scene.clock, logger: log.logger())
    }

    private func configuration(_ hashes: [String], _ more: [String: Any] = [:]) -> [String: Any] {
        var result: [String: Any] = [kTSKPinnedDomains: [Self.host: [kTSKPublicKeyHashes: hashes]]]
        result.merge(more) { $1 }
        return result
    }

    private var sound: [String: Any] { configuration([scene.leaf.spkiDigest.base64, CompatibilityScene.backup]) }

    private func verdict(_ identity: Identity? = nil) -> TrustVerdict {
        TrustKit.sharedInstance().pinningValidator.verdict(
            on: scene.trust(identity ?? scene.leaf), forHostname: Self.host)
    }

    private func alone(_ body: () throws -> Void) rethrows {
        try SharedTrustKit.$current.withValue(SharedTrustKit(uninitialised: environment), operation: body)
    }

    @Test func beforeInitialisationEverythingIsBlocked() {
        alone {
            let validator = TrustKit.sharedInstance().pinningValidator
            #expect(validator.evaluateTrust(scene.trust(scene.leaf), forHostname: Self.host) == .shouldBlockConnection)
            #expect(verdict().finding.code == .notInitialized)
            #expect(log.messages(atLeast: .error).count == 4)
            // Also an unlisted host, because the list does not exist.
            #expect(
                validator.evaluateTrust(scene.trust(scene.leaf), forHostname: "example.org")
                    == .shouldBlockConnection)
            TrustKit.initSharedInstance(withConfiguration: sound, environment: environment)
            #expect(validator.evaluateTrust(scene.trust(scene.leaf), forHostname: Self.host) == .shouldBlockConnection)
            #expect(verdict().finding.code == .pinMatched)
        }
    }

    @Test func theConfigurationIsUsed() {
        alone {
            TrustKit.initSharedInstance(withConfiguration: sound, environment: environment)
            #expect(verdict().permitsConnection)
            #expect(verdict(scene.other).finding.code == .pinMismatch)
            #expect(TrustKit.sharedInstance() === TrustKit.sharedInstance())
            #expect(log.messages(atLeast: .error).isEmpty)
        }
    }

    #if os(Linux)
    /// A native session whose delegate calls the validator accepts every server with a valid chain. A log line says so
    /// once, and names the fix.
    @Test func nativeSessionsAreWarnedAbout() throws {
        let line = "URLSession(pinnedBy: .system(), configuration: .default, delegate: delegate, delegateQueue: nil)"
        alone {
            TrustKit.initSharedInstance(withConfiguration: sound, environment: environment)
            let warnings = log.messages(atLeast: .warning)
            #expect(warnings.count == 1)
            #expect(warnings.first?.contains("native") == true && warnings.first?.contains(line) == true)
        }
        log.removeAll()
        try alone {
            try TrustKit.initialize(validating: sound, environment: environment)
            #expect(log.messages(atLeast: .warning).count == 1)
        }
    }
    #endif

    @Test func aSecondConfigurationBlocksEverything() {
        alone {
            TrustKit.initSharedInstance(withConfiguration: sound, environment: environment)
            TrustKit.initSharedInstance(withConfiguration: sound, environment: environment)
            #expect(verdict().decision == .block)
            #expect(verdict().finding.code == .invalidConfiguration)
            #expect(verdict().finding.reason.contains("twice"))
            #expect(log.messages(atLeast: .error).first?.contains("twice") == true)
        }
    }

    /// Those of TrustKit's ten conditions that a configuration can violate.
    @Test(arguments: [
        "no domains", "empty domains", "one pin", "short pin", "no base64", "excluded with keys", "orphaned exclusion",
        "report URI", "expiry", "no dictionary",
    ])
    func anInvalidConfigurationBlocksEverything(case name: String) {
        let good = [scene.leaf.spkiDigest.base64, CompatibilityScene.backup]
        func domain(_ settings: [String: Any]) -> [String: Any] { [kTSKPinnedDomains: [Self.host: settings]] }
        let configurations: [String: [String: Any]] = [
            "no domains": [kTSKSwizzleNetworkDelegates: false],
            "empty domains": [kTSKPinnedDomains: [String: Any]()],
            "one pin": configuration([good[0]]),
            "short pin": configuration([good[0], "AAAA"]),
            "no base64": configuration([good[0], "???"]),
            "excluded with keys": domain([
                kTSKExcludeSubdomainFromParentPolicy: true, kTSKPublicKeyHashes: good,
            ]),
            "orphaned exclusion": domain([kTSKExcludeSubdomainFromParentPolicy: true]),
            "report URI": domain([kTSKPublicKeyHashes: good, kTSKReportUris: ["not a url"]]),
            "expiry": domain([kTSKPublicKeyHashes: good, kTSKExpirationDate: "next year"]),
            "no dictionary": [kTSKPinnedDomains: "api.example.com"],
        ]
        alone {
            TrustKit.initSharedInstance(withConfiguration: configurations[name] ?? [:], environment: environment)
            #expect(verdict().decision == .block)
            #expect(verdict().finding.code == .invalidConfiguration)
            #expect(!log.messages(atLeast: .error).isEmpty)
        }
        alone {
            #expect(throws: PolicyError.self) {
                try TrustKit.initialize(validating: configurations[name] ?? [:], environment: environment)
            }
            #expect(verdict().finding.code == .notInitialized)
        }
    }

    @Test func allErrorsAreThrownTogetherWithTheirLocations() throws {
        let configuration: [String: Any] = [
            kTSKPinnedDomains: [
                "one.example.com": [kTSKPublicKeyHashes: ["AAAA", CompatibilityScene.backup]],
                "two.example.com": [kTSKPublicKeyHashes: [CompatibilityScene.backup]],
            ]
        ]
        try alone {
            let error = #expect(throws: PolicyError.self) { try TrustKit.initialize(validating: configuration) }
            let paths = try #require(error).problems.map(\.path)
            #expect(paths.contains { $0.contains("one.example.com") && $0.contains("TSKPublicKeyHashes[0]") })
            #expect(paths.contains { $0.contains("two.example.com") })
        }
    }

    @Test func aSecondThrowingInitialisationKeepsTheFirst() throws {
        try alone {
            try TrustKit.initialize(validating: sound, environment: environment)
            #expect(throws: PolicyError.self) { try TrustKit.initialize(validating: sound) }
            #expect(verdict().finding.code == .pinMatched)
        }
    }

    @Test func swizzlingIsReportedAsNotHonoured() {
        let on = configuration(
            [scene.leaf.spkiDigest.base64, CompatibilityScene.backup], [kTSKSwizzleNetworkDelegates: true])
        let kit = TrustKit(configuration: on, environment: environment)
        #expect(kit.diagnostics.contains { $0.code.rawValue == "swizzling" && $0.severity == .warning })
        #expect(log.messages(atLeast: .warning).contains { $0.contains("swizzling is not supported") })
        log.removeAll()
        let off = configuration(
            [scene.leaf.spkiDigest.base64, CompatibilityScene.backup], [kTSKSwizzleNetworkDelegates: false])
        #expect(
            !TrustKit(configuration: off, environment: environment).diagnostics.contains {
                $0.code.rawValue == "swizzling"
            })
        #expect(log.messages(atLeast: .warning).isEmpty)
    }

    @Test func unsupportedValuesAreNamed() throws {
        struct Odd {}
        var deep: Any = "x"
        for _ in 0..<40 { deep = [deep] }
        let configuration: [String: Any] = [
            kTSKPinnedDomains: [Self.host: [kTSKPublicKeyHashes: [Odd(), "x"] as [Any]]], "deep": deep,
        ]
        try alone {
            let error = #expect(throws: PolicyError.self) { try TrustKit.initialize(validating: configuration) }
            let problems = try #require(error).problems
            #expect(problems.contains { $0.path == "TSKPinnedDomains.\(Self.host).TSKPublicKeyHashes[0]" })
            #expect(problems.contains { $0.reason.contains("levels") })
        }
    }
}
