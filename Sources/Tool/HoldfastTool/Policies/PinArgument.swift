import HoldfastTrust

/// Pins of the command line.
enum PinArgument {
    /// The pins as a policy for these hosts. One is enough: nobody is locked out by a command.
    static func policy(_ pins: [String], for hosts: [CanonicalHost]) throws(ToolError) -> PinningPolicy {
        var digests: [Pin] = []
        for text in pins {
            digests.append(Pin(try digest(text)))
        }
        do throws(PolicyError) {
            return try PinningPolicy(
                name: "--pin", rules: hosts.map { PinningRule(HostPattern($0), pins: PinSet(digests)) },
                backupPins: .off)
        } catch {
            throw ToolError("--pin: \(error)", status: .usage)
        }
    }

    /// A pin with or without its prefix, or as curl writes it.
    private static func digest(_ text: String) throws(ToolError) -> SPKIDigest {
        // curl writes two slashes. The second may also be the first digit of base64: the length tells which.
        let digits = text.hasPrefix("sha256//") ? String(text.dropFirst(8)) : text
        if let digest = SPKIDigest(base64: text) ?? SPKIDigest(base64: digits) { return digest }
        do throws(PinError) { return try SPKIDigest(text) } catch {
            throw ToolError("--pin: \(error.reason)", status: .usage)
        }
    }
}
