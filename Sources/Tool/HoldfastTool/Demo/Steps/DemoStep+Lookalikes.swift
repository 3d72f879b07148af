import ChatDevServer
import HoldfastTrust

extension DemoStep {
    /// A server that shows `scenario` is visited, and must be accepted by its pin.
    private static func accepts(
        _ name: String, _ scenario: ServerScenario, _ mode: DemoMode,
        _ trust: @escaping @Sendable (DemoTrust) throws -> TrustContext
    ) -> DemoStep {
        DemoStep(.lookalikes, name, mode, .accepted(.pinMatched)) { stage in
            let context = try trust(DemoTrust(authority: stage.authority))
            return try await ScenarioServer.with(presenting: try stage.authority.identity(for: scenario)) { server in
                try await DemoVisit(trust: context, clock: stage.clock, host: stage.authority.host, port: server.port)
                    .overHTTPS().observation
            }
        }
    }

    /// What looks like an attack and is none.
    static let lookalikes: [DemoStep] = [
        accepts("a self-signed server with the pinned key", .selfSigned, .pinnedKeysOnly) { $0.pinnedLeaf },
        accepts("an expired server with the pinned key", .expired, .pinnedKeysOnly) { $0.pinnedLeaf },
        accepts("a self-signed, expired server with the pinned key", .selfSignedExpired, .pinnedKeysOnly) {
            $0.pinnedLeaf
        },
        accepts("a new key under the pinned CA", .newKeySameAuthority, .pinnedKeysOnly) { $0.pinnedAuthority },
        accepts("a new key under the pinned CA", .newKeySameAuthority, .systemAndPins) {
            try $0.systemAndAuthorityPins()
        },
        accepts("the rotation to the backup key", .rotatedToBackupKey, .pinnedKeysOnly) { $0.pinnedLeaf },
        accepts("the rotation to the backup key", .rotatedToBackupKey, .systemAndPins) { try $0.systemAndPins() },
    ]
}
