import HoldfastTrust

/// Pins of the command line.
enum PinArgument {
    /// The pins as a policy for these hosts. One is enough: nobody is locked out by a command.
    static func policy(_ pins: [String], for hosts: [CanonicalHost]) throws(ToolError) -> PinningPolicy {
        var digests: [Pin] = []
        for text in pins {
            // curl writes two slashes. The second may also be the first digit of base64: the length tells which.
            let digits = text.hasPrefix("sha256//") ? String(text.dropFirst(8)) : text
            guard let digest = SPKIDigest(base64: text) ?? SPKIDigest(base64: digits) else {
                throw ToolError(
                    "--pin: '\(Printable.text(text))' is no pin, which is sha256/ and 44 characters of base64",
                    status: .usage)
            }
            digests.append(Pin(digest))
        }
        do throws(PolicyError) {
            return try PinningPolicy(
                name: "--pin", rules: hosts.map { PinningRule(HostPattern($0), pins: PinSet(digests)) },
                backupPins: .off)
        } catch {
            throw ToolError("--pin: \(error)", status: .usage)
        }
    }
}
