import ChatServerCore
import ChatWire
import HoldfastSystem

extension ChatDevServerConfiguration {
    /// Returns the core's settings.
    func makeSettings() throws(ChatDevServerError) -> ChatServerSettings {
        guard (0...65_535).contains(port) else {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "\(port) is not a valid port: use 0 to 65535.", port: port)
        }
        try limits.check()
        guard script?.script.steps.contains(where: \.showsIdentity) != true || (tls != nil && authority != nil) else {
            throw ChatDevServerError(
                .noTLS, reason: "The script changes the identity, but the server does not use TLS.")
        }
        return ChatServerSettings(
            configuration: try makeAnswer(), bot: isBotEnabled ? BotSettings(delay: botNanoseconds) : nil,
            access: acceptedTokens.map { .tokens(valid: $0) } ?? .anyone, limits: coreLimits,
            identities: tls != nil && authority != nil ? CertificateScenario.allCases.map(\.rawValue) : [])
    }

    private var botNanoseconds: Int64 { min(max(botDelay, .zero), .seconds(86_400)).wholeNanoseconds }

    private func makeAnswer() throws(ChatDevServerError) -> ConfigurationAnswer {
        let patch: JSONValue
        do {
            patch = try JSONValue(parsing: configurationPatch)
        } catch {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "The configuration patch is not valid JSON: \(error).",
                underlying: error)
        }
        guard patch.objectValue != nil,
            let answer = JSONValue.object(ConfigurationAnswer.development.json).merged(with: patch).objectValue
        else {
            throw ChatDevServerError(.invalidConfiguration, reason: "The configuration patch is not a JSON object.")
        }
        return ConfigurationAnswer(answer)
    }
}

extension ScriptStep {
    fileprivate var showsIdentity: Bool {
        actions.contains { if case .identity = $0 { true } else { false } }
    }
}

extension JSONValue {
    /// Returns the value after a JSON merge patch (RFC 7396, section 2): objects are merged, `null` removes a member,
    /// and anything else replaces the value.
    func merged(with patch: JSONValue) -> JSONValue {
        guard let changes = patch.objectValue else { return patch }
        var result = objectValue ?? JSONObject()
        changes.forEach { key, value in
            result[key] = value == .null ? nil : (result[key] ?? .null).merged(with: value)
        }
        return .object(result)
    }
}
