import ChatDevServer
import HoldfastTrust

extension DemoStep {
    /// A server that shows `scenario` is visited, and must be refused with `code` over HTTPS and WebSocket alike.
    private static func refuses(
        _ name: String, _ scenario: ServerScenario, _ mode: DemoMode, as code: TrustFinding.Code,
        _ trust: @escaping @Sendable (DemoTrust) throws -> TrustContext
    ) -> DemoStep {
        DemoStep(.attacks, name, mode, .refused(code)) { stage in
            let context = try trust(DemoTrust(authority: stage.authority))
            return try await ScenarioServer.with(presenting: try stage.authority.identity(for: scenario)) { server in
                try await DemoVisit(trust: context, clock: stage.clock, host: stage.authority.host, port: server.port)
                    .refusedBothWays()
            }
        }
    }

    /// The attacks, each on its own server.
    static let attacks: [DemoStep] = [
        refuses("a certificate of an unknown CA", .otherAuthority, .systemAndPins, as: .unknownIssuer) {
            try $0.systemAndPins()
        },
        refuses(
            "a certificate of another CA that the machine trusts", .otherAuthority, .systemAndPins, as: .pinMismatch
        ) {
            try $0.systemAndPins(knowsRogue: true)
        },
        refuses("a certificate of another CA", .otherAuthority, .pinnedKeysOnly, as: .pinMismatch) { $0.pinnedLeaf },
        refuses("the right CA, the wrong key", .newKeySameAuthority, .systemAndPins, as: .pinMismatch) {
            try $0.systemAndPins()
        },
        refuses("the right CA, the wrong key", .newKeySameAuthority, .pinnedKeysOnly, as: .pinMismatch) {
            $0.pinnedLeaf
        },
        refuses("the pinned certificate behind the attacker's own", .smuggledLeaf, .systemAndPins, as: .pinMismatch) {
            try $0.systemAndPins(knowsRogue: true)
        },
        refuses("the pinned certificate behind the attacker's own", .smuggledLeaf, .pinnedKeysOnly, as: .pinMismatch) {
            $0.pinnedLeaf
        },
        refuses(
            "the pinned CA behind the attacker's certificate", .smuggledIntermediate, .pinnedKeysOnly, as: .pinMismatch
        ) {
            $0.pinnedAuthority
        },
        refuses("the right key in an expired certificate", .expired, .systemAndPins, as: .expired) {
            try $0.systemAndPins()
        },
        refuses("the right key in a certificate for another host", .wrongHost, .systemAndPins, as: .hostMismatch) {
            try $0.systemAndPins()
        },
        refuses("another customer of the pinned CA", .otherCustomer, .pinnedKeysOnly, as: .hostMismatch) {
            $0.pinnedAuthority
        },
    ]
}
