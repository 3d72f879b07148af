import ChatCenter
import ChatDevServer
import HoldfastTrust

/// The trust of a client that visits a server.
private struct Visitor: Sendable {
    let mode: DemoMode
    let trust: @Sendable (DemoTrust) throws -> TrustContext

    static let pins = Visitor(mode: .systemAndPins) { try $0.systemAndPins() }
    static let pinsAndRogue = Visitor(mode: .systemAndPins) { try $0.systemAndPins(knowsRogue: true) }
    static let authorityPins = Visitor(mode: .systemAndPins) { try $0.systemAndAuthorityPins() }
    static let pinnedLeaf = Visitor(mode: .pinnedKeysOnly) { $0.pinnedLeaf }
    static let pinnedAuthority = Visitor(mode: .pinnedKeysOnly) { $0.pinnedAuthority }
}

extension DemoStep {
    /// A step that connects to a server with the identity `scenario`. The server must be accepted by its pin, or
    /// refused over HTTPS and WebSocket.
    private static func visit(
        _ name: String, _ scenario: CertificateScenario, _ visitor: Visitor, _ expectation: DemoObservation.Outcome
    ) -> DemoStep {
        let isAttack = expectation != .accepted(.pinMatched)
        return DemoStep(isAttack ? .attacks : .lookalikes, name, visitor.mode, expectation) { stage in
            let trust = try visitor.trust(DemoTrust(authority: stage.authority))
            return try await CertificateScenarioServer.with(presenting: try stage.authority.identity(for: scenario)) {
                server in
                let visit = DemoVisit(trust: trust, clock: stage.clock, host: stage.authority.host, port: server.port)
                return try await isAttack ? visit.refusedBothWays() : visit.overHTTPS().observation
            }
        }
    }

    /// The attacks, each on its own server.
    static let attacks: [DemoStep] = [
        visit("a certificate of an unknown CA", .otherAuthority, .pins, .refused(.unknownIssuer)),
        visit(
            "a certificate of another CA that the machine trusts", .otherAuthority, .pinsAndRogue,
            .refused(.pinMismatch)),
        visit("a certificate of another CA", .otherAuthority, .pinnedLeaf, .refused(.pinMismatch)),
        visit("the right CA, the wrong key", .newKeySameAuthority, .pins, .refused(.pinMismatch)),
        visit("the right CA, the wrong key", .newKeySameAuthority, .pinnedLeaf, .refused(.pinMismatch)),
        visit("the pinned certificate after the attacker's own", .smuggledLeaf, .pinsAndRogue, .refused(.pinMismatch)),
        visit("the pinned certificate after the attacker's own", .smuggledLeaf, .pinnedLeaf, .refused(.pinMismatch)),
        visit(
            "the pinned CA after the attacker's certificate", .smuggledIntermediate, .pinnedAuthority,
            .refused(.pinMismatch)),
        visit("the right key in an expired certificate", .expired, .pins, .refused(.expired)),
        visit("the right key in a certificate for another host", .wrongHost, .pins, .refused(.hostMismatch)),
        visit("another customer of the pinned CA", .otherCustomer, .pinnedAuthority, .refused(.hostMismatch)),
    ]

    /// Servers that look suspicious but must be accepted.
    static let lookalikes: [DemoStep] = [
        visit("a self-signed server with the pinned key", .selfSigned, .pinnedLeaf, .accepted(.pinMatched)),
        visit("an expired server with the pinned key", .expired, .pinnedLeaf, .accepted(.pinMatched)),
        visit(
            "a self-signed, expired server with the pinned key", .selfSignedExpired, .pinnedLeaf,
            .accepted(.pinMatched)),
        visit("a new key under the pinned CA", .newKeySameAuthority, .pinnedAuthority, .accepted(.pinMatched)),
        visit("a new key under the pinned CA", .newKeySameAuthority, .authorityPins, .accepted(.pinMatched)),
        visit("the rotation to the backup key", .rotatedToBackupKey, .pinnedLeaf, .accepted(.pinMatched)),
        visit("the rotation to the backup key", .rotatedToBackupKey, .pins, .accepted(.pinMatched)),
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
