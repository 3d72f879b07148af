import HoldfastFormats
import HoldfastTrust

/// The properties that must hold for policies in every format.
enum PolicyFuzzing {
    static func policy(_ bytes: [UInt8], _ format: PolicyFormat) throws(BrokenPromise) {
        _ = PolicyFormats.detect(bytes)
        let options = PolicyReadOptions(host: "chat.example.com", receivedAt: FuzzTarget.time, keys: nil)
        let document = PolicyFormats.read(bytes, as: format, named: "fuzzing", options: options)
        try check(document.diagnostics, bytes)
        try check(PolicyLint.check(document, at: FuzzTarget.time), bytes)
        let hasErrors = document.diagnostics.contains { $0.severity == .error }
        let policy: PinningPolicy
        do throws(PolicyError) {
            policy = try document.policy()
        } catch {
            try BrokenPromise.unless(!error.problems.isEmpty, "a policy was refused without a reason")
            try written(document, isPolicy: false)
            return
        }
        try BrokenPromise.unless(!hasErrors, "a document with errors became a policy")
        try written(document, isPolicy: true)
        try sameInOwnFormat(document, policy)
    }

    private static func check(_ diagnostics: [PolicyDiagnostic], _ bytes: [UInt8]) throws(BrokenPromise) {
        // Line ends in all formats consist of these bytes.
        let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
        for diagnostic in diagnostics {
            try BrokenPromise.unless(
                !diagnostic.message.isEmpty && !diagnostic.code.rawValue.isEmpty,
                "the diagnostic has no text: \(diagnostic)")
            guard let position = diagnostic.position else { continue }
            try BrokenPromise.unless(
                (1...lines).contains(position.line) && (1...bytes.count + 1).contains(position.column),
                "the diagnostic's position is outside the text: \(diagnostic)")
        }
    }

    /// Checks that the document can be written in every format, or that a reason is given. Written text must be
    /// readable.
    private static func written(_ document: PolicyDocument, isPolicy: Bool) throws(BrokenPromise) {
        for format in PolicyFormat.allCases {
            let result = PolicyFormats.write(
                document, as: format, options: PolicyWriteOptions(host: "chat.example.com", time: FuzzTarget.time))
            guard let text = result.text else {
                try BrokenPromise.unless(
                    result.losesProtection || document.domains.isEmpty || isPolicy,
                    "writing as \(format) failed without a reason")
                continue
            }
            try BrokenPromise.unless(isPolicy, "an invalid document was written as \(format)")
            let options = PolicyReadOptions(host: "chat.example.com", receivedAt: FuzzTarget.time, keys: nil)
            let again = PolicyFormats.read(Array(text.utf8), as: format, named: "again", options: options)
            if let error = again.diagnostics.first(where: { $0.severity == .error }) {
                throw BrokenPromise("the text written as \(format) cannot be read: \(error)\n\(text)")
            }
        }
    }

    /// Checks that Holdfast's own format preserves the whole policy.
    private static func sameInOwnFormat(_ document: PolicyDocument, _ policy: PinningPolicy) throws(BrokenPromise) {
        guard document.format == .holdfast else { return }
        let again: PinningPolicy
        do throws(PolicyError) {
            again = try PinningPolicy(holdfastJSON: Array(document.holdfastJSON.utf8))
        } catch {
            throw BrokenPromise("the written policy cannot be read: \(error)")
        }
        try BrokenPromise.unless(
            again.rules == policy.rules && again.denied == policy.denied && again.precedence == policy.precedence
                && again.requiresRuleForEveryHost == policy.requiresRuleForEveryHost
                && again.anchors == policy.anchors,
            "the policy differs after writing and reading it")
    }
}
