/// What an installation knows about itself when it decides whether a stage of a roll-out covers it.
public struct RolloutParticipant: Hashable, Sendable {
    /// The installation's random identity. Without one, only stages with the whole share cover the installation.
    public var cohort: InstallationCohort?
    /// The version of the app, or `nil` if it is unknown.
    public var appVersion: AppVersion?
    /// The name of the platform, or `nil` if it is unknown.
    public var platform: String?

    /// Creates a participant.
    public init(
        cohort: InstallationCohort? = nil, appVersion: AppVersion? = nil,
        platform: String? = RolloutParticipant.currentPlatform
    ) {
        self.cohort = cohort
        self.appVersion = appVersion
        self.platform = platform
    }

    /// The name of the platform that this code was built for, such as `ios`, `macos` or `linux`; `nil` if it has none.
    public static var currentPlatform: String? {
        #if os(iOS)
        "ios"
        #elseif os(macOS)
        "macos"
        #elseif os(tvOS)
        "tvos"
        #elseif os(watchOS)
        "watchos"
        #elseif os(visionOS)
        "visionos"
        #elseif os(Android)
        "android"
        #elseif os(Linux)
        "linux"
        #else
        nil
        #endif
    }

    /// Returns the position in the roll-out of a version. Without an identity it is the last one.
    package func position(for application: String, version: Int64) -> Int {
        cohort?.position(for: application, version: version) ?? BundleRollout.Stage.wholeShare - 1
    }

    /// Returns whether a text can be the name of a platform.
    static func isPlatform(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
}

/// The configuration of staged roll-outs, halts and timestamps in an app. The default has no keys.
public struct RolloutSettings: Hashable, Sendable {
    /// The tolerance for the clocks of devices, in seconds: one day. A halt or timestamp that was issued later than
    /// this after the device's time is refused.
    public static let clockTolerance: Int64 = 86_400

    /// The installation.
    public var participant: RolloutParticipant
    /// The keys that may sign halts. Without one, roll-outs cannot be stopped.
    public var haltKeys: [BundleHaltKey]
    /// The keys that may sign timestamps. Without one, timestamps are not requested.
    public var timestampKeys: [BundleTimestampKey]
    /// The time without a fresh timestamp after which the policy counts as frozen, in seconds. Three days by default;
    /// at least one hour.
    ///
    /// - Error: `TrustFinding.Code.policyFrozen`
    public var freezeLimit: Int64

    /// Creates settings.
    public init(
        participant: RolloutParticipant = RolloutParticipant(), haltKeys: [BundleHaltKey] = [],
        timestampKeys: [BundleTimestampKey] = [], freezeLimit: Int64 = 3 * 86_400
    ) {
        self.participant = participant
        self.haltKeys = haltKeys
        self.timestampKeys = timestampKeys
        self.freezeLimit = min(max(freezeLimit, 3_600), 1 << 40)
    }
}

/// Whether a pending bundle may be put in force.
public enum RolloutDecision: Hashable, Sendable {
    /// No bundle is pending.
    case none
    /// The bundle waits for the stage that covers this installation. `until` is the begin of the stage, or `nil` if no
    /// stage covers the installation.
    case waiting(until: Timestamp?)
    /// A halt stops the bundle at most until this time.
    case halted(until: Timestamp)
    /// The newest timestamp names a halt that has not arrived.
    case haltMissing(until: Timestamp)
    /// The bundle may be put in force.
    case due

    /// The earliest time at which the bundle may be put in force, as far as it is known. `now` if it may be put in
    /// force.
    func earliest(now: Timestamp) -> Timestamp? {
        switch self {
        case .none: nil
        case .waiting(let until): until
        case .halted(let until), .haltMissing(let until): until
        case .due: now
        }
    }
}
