import HoldfastTestSupport
@testable import HoldfastTrust

/// An operator with separate keys for bundles, halts and timestamps, and an app that takes part in roll-outs.
struct RolloutWorld {
    let bundles: BundleWorld
    let halting = BundleSigningKey(generating: .ed25519, id: "halt-a")
    let timing = BundleSigningKey(generating: .ed25519, id: "time-a")
    /// The installation of all tests. Its position in the roll-out of version 4 is `position`.
    let cohort: InstallationCohort
    let position: Int

    var now: Timestamp { bundles.now }

    init() throws {
        bundles = try BundleWorld()
        var generator = SeededGenerator(seed: 7)
        cohort = InstallationCohort(using: &generator)
        position = cohort.position(for: BundleWorld.application, version: 4)
    }

    func settings(
        halts: Bool = true, timestamps: Bool = true, appVersion: String? = "2.4", platform: String? = "ios"
    ) throws -> RolloutSettings {
        RolloutSettings(
            participant: RolloutParticipant(
                cohort: cohort, appVersion: appVersion.flatMap { AppVersion($0) }, platform: platform),
            haltKeys: halts
                ? [try BundleHaltKey(id: halting.id, publicKey: Array(halting.publicKeyPEM.utf8))] : [],
            timestampKeys: timestamps
                ? [try BundleTimestampKey(id: timing.id, publicKey: Array(timing.publicKeyPEM.utf8))] : [],
            freezeLimit: 3 * 86_400)
    }

    func state(
        version: Int64 = 3, permissions: BundlePermissions = [], _ settings: RolloutSettings? = nil
    ) throws -> BundleState {
        BundleState(
            embedded: try PinningPolicy(holdfastJSON: BundleWorld.policy(1)), version: version, keys: bundles.keys,
            application: BundleWorld.application, permissions: permissions,
            rollout: try settings ?? self.settings())
    }

    /// A stage that covers the installation of the tests and begins after these seconds.
    func stage(after seconds: Int64 = 0, share: Int = BundleRollout.Stage.wholeShare) -> BundleRollout.Stage {
        BundleRollout.Stage(share: share, begins: now.advanced(bySeconds: seconds))
    }

    func bundle(
        _ version: Int64, _ number: UInt8 = 7, stages: [BundleRollout.Stage]? = nil, more: String = "",
        until end: Int64 = 60 * 86_400
    ) throws -> [UInt8] {
        try SignedBundle.sign(
            policy: BundleWorld.policy(number, more: more), application: BundleWorld.application, version: version,
            notBefore: now.advanced(bySeconds: -10), notAfter: now.advanced(bySeconds: end), with: bundles.signer,
            rollout: BundleRollout(stages: stages ?? [stage()])
        ).bytes
    }

    func halt(
        _ version: Int64, issued: Int64 = 0, lasts: Int64 = 86_400, serial: Int64? = nil,
        application: String = BundleWorld.application, by key: BundleSigningKey? = nil
    ) throws -> [UInt8] {
        let time = now.advanced(bySeconds: issued)
        return try BundleHalt.sign(
            application: application, version: version, issued: time, notAfter: time.advanced(bySeconds: lasts),
            serial: serial, with: key ?? halting
        ).bytes
    }

    func timestamp(
        for bundle: [UInt8], issued: Int64 = 0, lasts: Int64 = 86_400, haltSerial: Int64 = 0,
        by key: BundleSigningKey? = nil
    ) throws -> [UInt8] {
        let verified = try SignedBundle(bundle).verify(keys: bundles.keys, application: BundleWorld.application)
        let time = now.advanced(bySeconds: issued)
        return try BundleTimestamp.sign(
            for: verified, haltSerial: haltSerial, issued: time, notAfter: time.advanced(bySeconds: lasts),
            with: key ?? timing
        ).bytes
    }

    /// Returns the code of the error that `work` throws.
    static func code(_ work: () throws -> Void) -> BundleError.Code? {
        do {
            try work()
            return nil
        } catch {
            return (error as? BundleError)?.code
        }
    }
}
