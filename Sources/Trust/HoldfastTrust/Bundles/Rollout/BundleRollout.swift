import HoldfastBase

/// The roll-out of a bundle in stages: which installations may put it in force, and from when.
///
/// An installation decides alone. It puts the bundle in force once at least one stage covers it and has begun. The
/// signature of the bundle covers the roll-out. See <doc:Staged-Roll-Outs>.
public struct BundleRollout: Hashable, Sendable {
    /// The maximum number of stages.
    ///
    /// - Error: `BundleError.Code.tooManyStages`
    public static let maximumStages = 32
    /// The maximum number of platforms in a stage.
    ///
    /// - Error: `BundleError.Code.malformed`
    public static let maximumPlatforms = 16

    /// A cohort of installations, and the time from which the bundle is for them.
    public struct Stage: Hashable, Sendable {
        /// The share that means every installation.
        public static let wholeShare = 10_000

        /// The share of installations in parts of 10,000, from 1 to ``wholeShare``. The installations of a smaller
        /// share also belong to each larger share of the same bundle.
        public var share: Int
        /// The time from which the bundle is for this cohort.
        public var begins: Timestamp
        /// The versions of the app, or `nil` for all versions.
        public var appVersions: ClosedRange<AppVersion>?
        /// The names of the platforms. An empty set means all platforms.
        public var platforms: Set<String>

        /// Creates a stage. ``BundleRollout/check(notAfter:)`` checks it.
        public init(
            share: Int, begins: Timestamp, appVersions: ClosedRange<AppVersion>? = nil, platforms: Set<String> = []
        ) {
            self.share = share
            self.begins = begins
            self.appVersions = appVersions
            self.platforms = platforms
        }

        /// Returns whether the cohort contains an installation. An unknown app version or platform is only in cohorts
        /// that contain every app version or platform.
        func covers(_ participant: RolloutParticipant, position: Int) -> Bool {
            guard position < share else { return false }
            if let appVersions {
                guard let version = participant.appVersion, appVersions.contains(version) else { return false }
            }
            guard !platforms.isEmpty else { return true }
            return participant.platform.map { platforms.contains($0) } ?? false
        }
    }

    /// The stages in any order.
    public var stages: [Stage]

    /// Creates a roll-out. ``check(notAfter:)`` checks it.
    public init(stages: [Stage]) {
        self.stages = stages
    }

    /// Checks the stages. Operators and apps make the same checks.
    ///
    /// - Parameter notAfter: The end of the bundle's validity.
    /// - Throws: ``BundleError`` with the code `emptyCohort`, `shareOutOfRange`, `tooManyStages` or `malformed`.
    public func check(notAfter: Timestamp) throws(BundleError) {
        guard !stages.isEmpty else {
            throw BundleError(.emptyCohort, "The roll-out has no stage, so no installation would use the bundle.")
        }
        guard stages.count <= BundleRollout.maximumStages else {
            throw BundleError(
                .tooManyStages,
                "The roll-out has \(stages.count) stages; the limit is \(BundleRollout.maximumStages).")
        }
        for (number, stage) in stages.enumerated() {
            try BundleRollout.check(stage, name: "Stage \(number + 1) of the roll-out", notAfter: notAfter)
        }
    }

    private static func check(_ stage: Stage, name: String, notAfter: Timestamp) throws(BundleError) {
        guard stage.share != 0 else {
            throw BundleError(.emptyCohort, "\(name) has the share 0, so it covers no installation.")
        }
        guard (1...Stage.wholeShare).contains(stage.share) else {
            throw BundleError(
                .shareOutOfRange,
                "\(name) has the share \(stage.share); expected 1 to \(Stage.wholeShare), in parts of 10,000.")
        }
        guard stage.begins <= notAfter else {
            throw BundleError(
                .emptyCohort,
                "\(name) begins at \(stage.begins), but the bundle is only accepted until \(notAfter).")
        }
        guard stage.platforms.count <= maximumPlatforms else {
            throw BundleError(
                .malformed,
                "\(name) has \(stage.platforms.count) platforms; the limit is \(maximumPlatforms).")
        }
        for platform in stage.platforms.sorted() where !RolloutParticipant.isPlatform(platform) {
            throw BundleError(
                .malformed,
                "\(name) has the platform \"\(Printable.text(platform))\"; expected 1 to 32 lowercase letters and digits."
            )
        }
    }

    /// Returns the earliest time from which the bundle is for an installation, or `nil` if no stage covers it.
    package func begin(for participant: RolloutParticipant, position: Int) -> Timestamp? {
        stages.filter { $0.covers(participant, position: position) }.map(\.begins).min()
    }
}
