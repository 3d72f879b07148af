import HoldfastBase
import HoldfastTrust

extension ProbeReport {
    /// Returns the report for a person, without a trailing line break.
    ///
    /// - Parameters:
    ///   - columns: The width of the terminal; `nil` for a file or a program.
    ///   - style: The style of results and warnings.
    func text(columns: Int? = nil, style: TerminalStyle = .plain) -> String {
        var lines = ["\(target)\(certificates.isEmpty ? "" : ", at \(time)")"]
        lines += connectionLines.map { "  " + $0 }
        if !certificates.isEmpty || !unreadable.isEmpty {
            lines += [""] + certificateLines(width: columns.map { $0 - 2 }, style).map { "  " + $0 }
        }
        if !verdicts.isEmpty { lines += [""] + verdictLines(style).map { "  " + $0 } }
        if let advice { lines += [""] + adviceLines(advice).map { "  " + $0 } }
        if let twoWay { lines += [""] + Self.lines(twoWay, style).map { "  " + $0 } }
        if !warnings.isEmpty {
            lines +=
                [""] + warnings.map { "  \(style.text("warning", .warning)): \($0.sentence) [\($0.code.rawValue)]" }
        }
        lines += ["", "  " + style.text(conclusion, meaning)]
        return lines.joined(separator: "\n")
    }

    /// Returns one line with the server's status, as a watch prints it.
    func line(_ style: TerminalStyle = .plain) -> String {
        let days = fewestDays.map { ", \(ExpiryDays.words($0))" } ?? ""
        return "\(time) \(target): \(style.text(conclusion, meaning))\(days)"
    }

    /// What the result means for the user.
    private var meaning: TerminalStyle.Meaning {
        switch isAsExpected {
        case true: .success
        case false: .error
        case nil: .warning
        }
    }

    /// The result, and whether it was expected.
    var conclusion: String {
        let what: String =
            switch outcome {
            case .allowed: "allowed"
            case .refused(let finding): "refused (\(finding.code))"
            case .failed(let failure): "no verdict (\(failure.code)): \(failure.reason)"
            }
        return switch isAsExpected {
        case true: expectation == .allow ? what : "\(what), as expected"
        case false where outcome.permits == (expectation == .allow): "\(what), but the two-way check failed"
        case false: "\(what), expected: \(expectation.rawValue)"
        case nil: what
        }
    }

    // MARK: Parts

    private var connectionLines: [String] {
        guard let connection else { return [] }
        let cipher = connection.cipherSuite.map { ", \($0)" } ?? ""
        let fields = [
            ("connected to", connection.address),
            ("TLS", (connection.version ?? "unknown version") + cipher),
            (
                "ALPN",
                (connection.applicationProtocol ?? "none")
                    + " (offered: \(ProbeConnection.offered.joined(separator: ", ")))"
            ),
            ("server name", target.serverName ?? "none sent: the host is an address"),
            ("OCSP staple", "not visible: the TLS library does not expose it"),
        ]
        return fields.map { TerminalWidth.padded($0, to: 14) + $1 }
    }

    private func certificateLines(width: Int?, _ style: TerminalStyle) -> [String] {
        var table = TextTable([
            .whole("#"), .whole("chain"), .text("subject"), .text("issuer"), .text("key"), .whole("valid"),
            .whole("left"),
            .whole("pin (SPKI SHA-256)"), .text("policy"),
        ])
        for certificate in certificates {
            table.add(
                [
                    certificate.servedPosition.map { "\($0)" } ?? "-", certificate.place.words, certificate.subject,
                    certificate.issuer, certificate.key, certificate.validity,
                    certificate.daysLeft(at: time).map { $0 < 0 ? "ended" : "\($0) d" } ?? "-",
                    // 51 characters, useless when cut.
                    "\(certificate.spki)", certificate.match?.words ?? "-",
                ], limit: width == nil ? 52 : 256, meanings: meanings(of: certificate))
        }
        var lines = table.lines(width: width, style: style)
        for (index, reason) in unreadable.sorted(by: { $0.key < $1.key }) {
            lines.append("certificate \(index) cannot be read: \(reason)")
        }
        if let leaf, !leaf.names.isEmpty {
            let more = leaf.names.count > 8 ? ", … (\(leaf.names.count))" : ""
            lines.append("names: " + leaf.names.prefix(8).joined(separator: ", ") + more)
        }
        lines.append("sent: \(sent.count) certificate\(sent.count == 1 ? "" : "s"), \(sent.bytes) bytes")
        return lines
    }

    /// The meanings of cells in the certificate's row.
    private func meanings(of certificate: ProbeCertificate) -> [Int: TerminalStyle.Meaning] {
        var meanings: [Int: TerminalStyle.Meaning] = [:]
        if let days = certificate.daysLeft(at: time), days < 0 { meanings[6] = .error }
        switch certificate.match {
        case .matched: meanings[8] = .success
        case .unverified: meanings[8] = .warning
        case nil: break
        }
        return meanings
    }

    /// Returns the verdicts, and the pins that match nothing.
    func verdictLines(_ style: TerminalStyle = .plain) -> [String] {
        var lines: [String] = []
        for verdict in verdicts {
            let word = verdict.permits ? style.text("allow", .success) : style.text("block", .error)
            let note = verdict.decision == "notPinned" ? " (no pin applies)" : ""
            lines.append("\(verdict.judge): \(word)\(note)")
            lines.append("  \(verdict.finding.code): \(verdict.finding.reason)")
            if let system = verdict.system { lines.append("  system verification: \(system.code): \(system.reason)") }
            lines += verdict.notices.map { "  also: \($0.code): \($0.reason)" }
        }
        if verdicts.count > 1, !unseenPins.isEmpty {
            lines.append("pins that match no certificate here (backup keys or old keys):")
            lines += unseenPins.map { "  \($0)" + ($0.scope == .any ? "" : ", \($0.scope.rawValue) only") }
        }
        return lines
    }

    /// Returns the lines on how to fix the policy.
    func adviceLines(_ advice: ProbeAdvice) -> [String] {
        var lines = ["no pin matches. Seen:"]
        lines += certificates.map { "  \($0.spki) \($0.subject)" }
        lines.append("expected one of:")
        lines += pins.map { "  \($0)" + ($0.scope == .any ? "" : ", \($0.scope.rawValue) only") }
        lines += ["to accept this server, add this line to \(advice.place):", "  \(advice.line)"]
        lines.append("CAUTION: \(ProbeAdvice.caution)")
        return lines
    }

    private static func lines(_ report: TwoWayReport, _ style: TerminalStyle) -> [String] {
        ["two-way check: \(report.isPassed ? style.text("passed", .success) : style.text("FAILED", .error))"]
            + report.steps.map { step in
                let outcome: String =
                    switch step.outcome {
                    case .allowed: "connected"
                    case .refused(let finding): "refused (\(finding.code))"
                    case .failed(let failure): "failed (\(failure.code)): \(failure.reason)"
                    }
                let mark = step.isPassed ? style.text("ok", .success) + "  " : style.text("BAD", .error) + " "
                return "  \(mark) \(step.name): \(outcome)"
            }
    }
}

extension ProbeCertificate {
    /// The first and the last day.
    fileprivate var validity: String {
        func day(_ instant: Timestamp?) -> String {
            instant.map { String("\($0)".prefix { $0 != "T" }) } ?? "(malformed)"
        }
        return "\(day(notBefore)) to \(day(notAfter))"
    }
}

extension ProbeCertificate.Place {
    fileprivate var words: String {
        switch self {
        case .both: "served+built"
        case .served: "served"
        case .built: "built"
        }
    }
}

extension ProbeCertificate.PinMatch {
    fileprivate var words: String {
        switch self {
        case .matched: "pin matches"
        case .unverified: "listed, unverified"
        }
    }
}
