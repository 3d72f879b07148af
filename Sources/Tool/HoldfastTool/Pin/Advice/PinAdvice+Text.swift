import HoldfastBase
import HoldfastTrust

extension PinAdvice {
    /// Returns the advice for a person, without a trailing line break.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal; `nil` for no limit.
    ///   - fitted: Wraps prose to the terminal's width.
    func text(width: Int?, fitted: (String) -> String) -> String {
        var lines = ["Keys for \(pattern)"]
        for chain in chains {
            let count = chain.paths.paths.count
            let result =
                switch count {
                case 0: "the system verification fails: \(chain.paths.finding.reason)"
                case 1: "one verified path"
                default: "\(count) verified paths"
                }
            lines.append(fitted("\(Printable.text(chain.source)): \(Printable.text(result))"))
        }
        for (index, key) in keys.enumerated() {
            lines += ["", "\(index + 1). \(key.role.words)"]
            lines += key.lines.map { "   " + $0 }
        }
        lines += ["", "What a pin survives:"]
        lines += survivalTable.lines(width: width)
        lines.append(
            fitted("A leaf pin survives a new intermediate or CA only if the new certificate has the same key."))
        lines.append("")
        lines += section("ADVICE: pin the server's own keys", ownKeys, fitted)
        lines += section("ALTERNATIVE: pin the keys of the CA and a backup", authorityKeys, fitted)
        if !notes.isEmpty { lines += ["", "Notes:"] + notes.map { fitted("- " + $0.text) } }
        if !commands.isEmpty {
            let advice =
                "To create a backup key, run these commands. Keep the private key offline, and add the public key "
                + "to the sources."
            lines += ["", fitted(advice)]
            lines += commands.map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    /// The commands that create what is missing; empty if a backup was given.
    var commands: [String] {
        guard notes.contains(where: { $0.code == .noBackup }) else { return [] }
        let isRSA = keys.first { $0.role == .leaf }?.key.keyDescription.hasPrefix("RSA") == true
        return OpenSSLRecipe.backupKey(isRSA: isRSA)
    }

    private var survivalTable: TextTable {
        var table = TextTable([
            .text("change"), .text("leaf"), .text("leaf + backup"), .text("intermediate"), .text("root"),
            .text("root + backup"),
        ])
        let columns =
            [AdvisedKey.Role.leaf, .intermediate, .root].map { role in keys.first { $0.role == role }?.survival }
        func row(_ name: String, _ change: (PinSurvival) -> PinSurvival.Outcome) {
            func cell(_ survival: PinSurvival?) -> String { survival.map { change($0).words } ?? "-" }
            table.add([
                name, cell(columns[0]), cell(ownKeys.isAdvised ? ownKeys.survival : nil), cell(columns[1]),
                cell(columns[2]), cell(authorityKeys.isAdvised ? authorityKeys.survival : nil),
            ])
        }
        row("renewal, same key", \.sameKey)
        row("renewal, new key", \.newKey)
        row("new intermediate", \.newIntermediate)
        row("new CA", \.newAuthority)
        return table
    }

    private func section(_ title: String, _ plan: Plan, _ fitted: (String) -> String) -> [String] {
        guard plan.isAdvised else {
            return [fitted("\(title): not possible, because \(Printable.text(plan.missing.joined(separator: "; "))).")]
        }
        let numbers = plan.keys.compactMap { key in keys.firstIndex(of: key).map { "\($0 + 1)" } }
        return [fitted("\(title): \(numbers.joined(separator: ", ")).")]
    }
}

extension AdvisedKey {
    /// The details, one label and value per line.
    fileprivate var lines: [String] {
        var lines: [(String, String)] = [("source", Printable.text(source))]
        for certificate in certificates {
            lines.append(("subject", Printable.text(certificate.subject)))
            lines.append(("issuer", Printable.text(certificate.issuer)))
            lines.append(("ends", certificate.notAfter?.description ?? "(malformed)"))
        }
        lines.append(("key", Printable.text(key.keyDescription)))
        lines.append(("pin", key.digest.description))
        if role.scope == .ca, paths > 0 { lines.append(("paths", paths == 1 ? "on one" : "on \(paths)")) }
        if let problem { lines.append(("problem", Printable.text(problem))) }
        return lines.map { TerminalWidth.padded($0, to: 9) + $1 }
    }
}
