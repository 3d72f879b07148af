// What code for Apple platforms may expect of Holdfast; type-checked by `scripts/check-apple.sh` and never run.

import Security

/// An evaluator as it was written for `SecTrust`: it conforms as it is.
struct UnchangedEvaluator: ServerTrustEvaluator {
    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard SecTrustEvaluateWithError(trust, nil) else { throw TrustFinding(.unknownIssuer, "refused") }
    }
}

/// One that says what it is written for.
struct NamedEvaluator: SecTrustEvaluator {
    func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}

/// One that is written for Holdfast's own type.
struct OwnEvaluator: ServerTrustEvaluator {
    func evaluate(_ trust: ServerTrust, forHost host: String) async throws {}
}

/// All of them take part in a table, and Holdfast's own answer about a `SecTrust` at once.
func table() -> TrustContext {
    .evaluators([
        "a.example.com": UnchangedEvaluator(), "b.example.com": NamedEvaluator(), "c.example.com": OwnEvaluator(),
        "d.example.com": PublicKeyPinningEvaluator(pinnedKeyHashes: []),
    ])
}

func ask(_ trust: SecTrust) throws {
    try SystemTrustEvaluator().evaluate(trust, forHost: "a.example.com")
    try SystemTrustEvaluator().evaluate(ServerTrust(trust), forHost: "a.example.com")
    try CertificatePinningEvaluator(pinnedCertificates: []).evaluate(trust, forHost: "a.example.com")
    try PinnedKeysOnlyEvaluator(PinnedKeysOnly(certificates: [])).evaluate(trust, forHost: "a.example.com")
}

func askOwn(_ trust: ServerTrust) async throws {
    try await UnchangedEvaluator().evaluate(trust, forHost: "a.example.com")
    try await NamedEvaluator().evaluate(trust, forHost: "a.example.com")
}
