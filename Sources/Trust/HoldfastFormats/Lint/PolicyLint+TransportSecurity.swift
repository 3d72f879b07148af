import HoldfastBase
public import HoldfastTrust

extension PolicyLint {
    /// Compares `NSAppTransportSecurity` in two Info.plist files, such as those of an app and its extension or of two
    /// build configurations.
    ///
    /// A setting that exists in only one of them is a fault that only some users see. Each difference is a warning with
    /// its path and its position in the second file, or in the first file if the second does not have the setting.
    public static func compareTransportSecurity(
        _ first: [UInt8], _ second: [UInt8], named names: (String, String) = ("the first", "the second")
    ) -> [PolicyDiagnostic] {
        var findings = Findings()
        do throws(SyntaxFault) {
            let left = try PolicyFormats.properties(first)
            let right = try PolicyFormats.properties(second)
            compare(
                left[PinnedDomainsKey.transportSecurity], right[PinnedDomainsKey.transportSecurity],
                PinnedDomainsKey.transportSecurity, names, &findings)
        } catch {
            findings.error(error)
        }
        return findings.all
    }

    /// Returns whether the bytes are a property list (or JSON) that contains `NSAppTransportSecurity`.
    public static func hasTransportSecurity(_ bytes: [UInt8]) -> Bool {
        (try? PolicyFormats.properties(bytes))?[PinnedDomainsKey.transportSecurity] != nil
    }

    private static func compare(
        _ left: PropertyNode.Member?, _ right: PropertyNode.Member?, _ path: String, _ names: (String, String),
        _ findings: inout Findings
    ) {
        guard let left, let right else {
            guard let present = left ?? right else { return }
            let missing = left == nil ? names.0 : names.1
            findings.warning(
                .transportSecurityDiffers, "the setting is missing in \(Printable.text(missing))", path,
                present.position)
            return
        }
        if let ours = left.value.members, let theirs = right.value.members {
            for key in ours.map(\.key) + theirs.map(\.key).filter({ left.value[$0] == nil }) {
                compare(left.value[key], right.value[key], "\(path).\(Printable.text(key))", names, &findings)
            }
        } else if !left.value.isSame(as: right.value) {
            findings.warning(
                .transportSecurityDiffers,
                "\(Printable.text(names.0)) and \(Printable.text(names.1)) have different values", path, right.position)
        }
    }

    /// Finds an enabled `allowUntrustedSSLCertificate` in a configuration: a property list, JSON or source code.
    public static func checkConfiguration(_ bytes: [UInt8]) -> [PolicyDiagnostic] {
        var findings = Findings()
        if let root = try? PolicyFormats.properties(bytes) {
            search(root, "", &findings)
            return findings.all
        }
        for line in SourceLines(of: bytes) {
            let text = String(decoding: line.bytes, as: UTF8.self)
            let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "/" }
            let isComment = words.first?.hasPrefix("//") ?? false
            guard !isComment, let index = words.firstIndex(of: Substring(untrusted)),
                words.dropFirst(index + 1).prefix(2).contains("true")
            else { continue }
            untrustedFound(untrusted, SourcePosition(line: line.number, column: 1), &findings)
        }
        return findings.all
    }

    private static let untrusted = "allowUntrustedSSLCertificate"

    private static func search(_ node: PropertyNode, _ path: String, _ findings: inout Findings) {
        switch node.value {
        case .array(let values):
            for (index, value) in values.enumerated() { search(value, "\(path)[\(index)]", &findings) }
        case .dictionary(let members):
            for member in members {
                let path = path.isEmpty ? Printable.text(member.key) : "\(path).\(Printable.text(member.key))"
                if member.key == untrusted, findings.silentBool(member.value) {
                    untrustedFound(path, member.position, &findings)
                }
                search(member.value, path, &findings)
            }
        default: break
        }
    }

    private static func untrustedFound(_ path: String, _ position: SourcePosition?, _ findings: inout Findings) {
        findings.error(
            .untrustedCertificatesAllowed,
            "\(untrusted) accepts every server: an attacker on the network can read all traffic",
            path,
            position)
    }
}

extension Findings {
    fileprivate func silentBool(_ node: PropertyNode) -> Bool {
        switch node.value {
        case .bool(let flag): flag
        case .integer(let number): number != 0
        case .string(let text): ["yes", "true", "1"].contains(text.lowercased())
        default: false
        }
    }
}
