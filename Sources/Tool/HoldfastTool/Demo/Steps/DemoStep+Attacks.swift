import ChatCenter
import ChatDevServer
import HoldfastTrust

extension DemoStep {
    /// A step that connects to a server with the identity `scenario`. The server must be refused with `code` over HTTPS
    /// and WebSocket.
    private static func refuses(
        _ name: String, _ scenario: CertificateScenario, _ mode: DemoMode, as code: TrustFinding.Code,
        _ trust: @escaping @Sendable (DemoTrust) throws -> TrustContext
    ) -> DemoStep {
        DemoStep(.attacks, name, mode, .refused(code)) { stage in
            let context = try trust(DemoTrust(authority: stage.authority))
            return try await CertificateScenarioServer.with(presenting: try stage.authority.identity(for: scenario)) {
                server in
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
        refuses("the pinned certificate after the attacker's own", .smuggledLeaf, .systemAndPins, as: .pinMismatch) {
            try $0.systemAndPins(knowsRogue: true)
        },
        refuses("the pinned certificate after the attacker's own", .smuggledLeaf, .pinnedKeysOnly, as: .pinMismatch) {
            $0.pinnedLeaf
        },
        refuses(
            "the pinned CA after the attacker's certificate", .smuggledIntermediate, .pinnedKeysOnly, as: .pinMismatch
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

extension DemoStep {
    /// The chat SDK connects to an impostor instead of its server.
    static let impostor = DemoStep(
        .attacks, "the chat SDK connects to an impostor", .pinnedKeysOnly, .refused(.pinMismatch)
    ) { stage in
        try await stage.showing(.otherAuthority) {
            do {
                let client = try await DemoClient.open(on: stage, keepingIn: stage.conversation.folder.url("victim"))
                client.close()
                return .failed("The chat SDK connected to the impostor.")
            } catch let error as ChatAuthorizationError {
                guard let verdict = error.verdict else { throw error }
                return DemoObservation(outcome: .refused(verdict.finding.code), detail: verdict.finding.reason)
            }
        }
    }

    /// The server switches to its backup key, and the chat continues.
    static let rotation = DemoStep(
        .lookalikes, "the chat SDK follows the rotation", .pinnedKeysOnly, .worked
    ) { stage in
        try await stage.showing(.rotatedToBackupKey) {
            let client = try await DemoClient.open(on: stage, keepingIn: stage.conversation.folder.url("rotated"))
            defer { client.close() }
            try await client.acknowledgement(of: try client.screen.send("Still here."))
            return .worked("The server showed its backup key, and a message was acknowledged.")
        }
    }
}

extension DemoStep {
    /// A step that connects to a server with the identity `scenario`. The server must be accepted by its pin.
    private static func accepts(
        _ name: String, _ scenario: CertificateScenario, _ mode: DemoMode,
        _ trust: @escaping @Sendable (DemoTrust) throws -> TrustContext
    ) -> DemoStep {
        DemoStep(.lookalikes, name, mode, .accepted(.pinMatched)) { stage in
            let context = try trust(DemoTrust(authority: stage.authority))
            return try await CertificateScenarioServer.with(presenting: try stage.authority.identity(for: scenario)) {
                server in
                try await DemoVisit(trust: context, clock: stage.clock, host: stage.authority.host, port: server.port)
                    .overHTTPS().observation
            }
        }
    }

    /// Servers that look suspicious but must be accepted.
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
