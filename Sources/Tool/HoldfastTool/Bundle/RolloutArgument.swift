import ArgumentParser
import HoldfastBase
import HoldfastTrust

/// Parses the arguments about roll-outs.
enum RolloutArgument {
    /// Parses a stage: `1%@2031-03-15`, optionally followed by `,versions=2.1-2.9` and `,platforms=ios+android`.
    ///
    /// The size of the share is checked when the bundle is signed.
    static func stage(_ text: String) throws -> BundleRollout.Stage {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let head = parts[0].split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard head.count == 2, let share = share(head[0]) else {
            throw ValidationError("'\(text)' is not a stage: write SHARE%@TIME, as in 1%@2031-03-15T12:00:00Z")
        }
        var stage = BundleRollout.Stage(share: share, begins: try BundleArgument.time(head[1]))
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch (pair[0], pair.count) {
            case ("versions", 2): stage.appVersions = try versions(pair[1])
            case ("platforms", 2):
                stage.platforms = Set(
                    pair[1].split(separator: "+", omittingEmptySubsequences: false).map(String.init))
            default:
                throw ValidationError("'\(part)' is not a condition: write versions=2.1-2.9 or platforms=ios+android")
            }
        }
        return stage
    }

    /// Reads a percentage with at most two decimals, in parts of 10,000.
    private static func share(_ text: String) -> Int? {
        guard text.hasSuffix("%") else { return nil }
        let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            (1...6).contains(parts[0].count), let whole = Int(parts[0])
        else { return nil }
        guard parts.count == 2 else { return whole * 100 }
        guard (1...2).contains(parts[1].count), let part = Int(parts[1]) else { return nil }
        return whole * 100 + (parts[1].count == 1 ? part * 10 : part)
    }

    private static func versions(_ text: String) throws -> ClosedRange<AppVersion> {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let first = AppVersion(parts[0]), let last = AppVersion(parts[1]) else {
            throw ValidationError("'\(text)' is not a range of app versions: write 2.1-2.9")
        }
        guard first <= last else {
            throw ValidationError("'\(text)' covers no app version: write the lower version first")
        }
        return first...last
    }

    /// Parses the version of an app.
    static func appVersion(_ text: String) throws -> AppVersion {
        guard let version = AppVersion(text) else {
            throw ValidationError("'\(text)' is not an app version: write one to four numbers, as in 2.10.1")
        }
        return version
    }

    /// Parses the identity of an installation.
    static func installation(_ text: String) throws -> InstallationCohort {
        let digits = Array(text.utf8)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
        }
        guard digits.count == 32, digits.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
            let cohort = InstallationCohort(bytes)
        else {
            throw ValidationError("'\(Printable.text(text))' is not an installation: write 32 hexadecimal digits")
        }
        return cohort
    }
}

/// An installation for which `bundle verify` shows the state of a roll-out.
struct RolloutOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The installation's 16 random bytes, for the state of its roll-out.", valueName: "hexadecimal"),
        transform: RolloutArgument.installation)
    var installation: InstallationCohort?

    @Option(
        help: ArgumentHelp("The installation's app version.", valueName: "version"),
        transform: RolloutArgument.appVersion)
    var appVersion: AppVersion?

    @Option(help: ArgumentHelp("The installation's platform, such as ios.", valueName: "name"))
    var platform: String?

    @Option(help: ArgumentHelp("The halt to check.", valueName: "file"), completion: .file())
    var halt: String?

    @Option(help: ArgumentHelp("A trusted public key for halts, as ID=FILE. Repeatable.", valueName: "id=file"))
    var haltKey: [String] = []

    @Option(help: ArgumentHelp("The timestamp to check.", valueName: "file"), completion: .file())
    var timestamp: String?

    @Option(help: ArgumentHelp("A trusted public key for timestamps, as ID=FILE. Repeatable.", valueName: "id=file"))
    var timestampKey: [String] = []

    func validate() throws {
        try BundleKeyFile.check(haltKey, option: "--halt-key")
        try BundleKeyFile.check(timestampKey, option: "--timestamp-key")
        guard halt == nil || !haltKey.isEmpty else { throw ValidationError("--halt needs --halt-key") }
        guard timestamp == nil || !timestampKey.isEmpty else {
            throw ValidationError("--timestamp needs --timestamp-key")
        }
    }

    /// Reads the keys.
    func settings() throws -> RolloutSettings {
        RolloutSettings(
            participant: RolloutParticipant(cohort: installation, appVersion: appVersion, platform: platform),
            haltKeys: try haltKey.map {
                try BundleKeyFile.verifier($0, option: "--halt-key", role: .halt) { id, bytes throws(BundleError) in
                    try BundleHaltKey(id: id, publicKey: bytes)
                }
            },
            timestampKeys: try timestampKey.map {
                try BundleKeyFile.verifier($0, option: "--timestamp-key", role: .timestamp) {
                    id, bytes throws(BundleError) in
                    try BundleTimestampKey(id: id, publicKey: bytes)
                }
            })
    }

    /// Offers the halt and the timestamp. Throws a `BundleError` if an app would refuse one of them.
    func offer(to state: inout BundleState, at time: Timestamp) throws {
        if let halt {
            let bytes = try InputFile(path: halt).readAll(limit: BundleHalt.maximumSize + 1)
            try state.offer(halt: bytes, at: time)
        }
        if let timestamp {
            let bytes = try InputFile(path: timestamp).readAll(limit: BundleTimestamp.maximumSize + 1)
            try state.offer(timestamp: bytes, at: time)
        }
    }

    /// Returns the facts about the roll-out of the pending bundle.
    func fields(of state: BundleState, at time: Timestamp) -> [(String, JSONNode.Value?)] {
        guard let bundle = state.pending, let rollout = bundle.rollout else { return [] }
        let (name, until): (String, Timestamp?) =
            switch state.rolloutDecision(at: time) {
            case .none: ("none", nil)
            case .waiting(nil): ("not covered", nil)
            case .waiting(let until): ("waiting", until)
            case .halted(let until): ("halted", until)
            case .haltMissing(let until): ("halt missing", until)
            case .due: ("due", nil)
            }
        let position = installation.map { $0.position(for: bundle.application, version: bundle.version) }
        return [
            ("stages", .number("\(rollout.stages.count)")), ("position", position.map { .number("\($0)") }),
            ("rollout", .string(name)), ("until", until.map { .text($0) }),
        ]
    }
}
