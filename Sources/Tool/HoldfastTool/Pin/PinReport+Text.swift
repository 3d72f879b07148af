import HoldfastTrust

extension PinReport {
    /// The report for a person, without a line break at its end.
    func text(at now: Timestamp) -> String {
        var lines: [String] = []
        let count = entries.count + unreadable.count
        lines.append("\(source): \(count == 1 ? "one key" : "\(count) keys")")
        if let system { lines.append("system verification: \(system)") }
        for (index, entry) in entries.enumerated() {
            lines.append("")
            lines.append("\(index + 1). \(entry.kind.words)")
            lines += entry.lines(at: now).map { "   " + $0 }
        }
        for bad in unreadable {
            lines.append("")
            lines.append("certificate \(bad.index + 1) of the chain cannot be read: \(bad.error.reason)")
        }
        return lines.joined(separator: "\n")
    }
}

extension PinEntry {
    /// The entry's facts, a label and a value a line.
    fileprivate func lines(at now: Timestamp) -> [String] {
        var lines: [(String, String)] = []
        if let certificate {
            lines.append(("subject", certificate.subject))
            lines.append(("issuer", certificate.issuer))
            lines.append(("valid", certificate.validity(at: now)))
            if !certificate.names.isEmpty { lines.append(("names", certificate.names.joined(separator: ", "))) }
        }
        lines.append(("key", key.keyDescription))
        lines.append(("pin", key.digest.description))
        lines.append(("same by", command))
        return lines.map { label, value in
            label + String(repeating: " ", count: max(1, 9 - label.count)) + value
        }
    }
}

extension CertificateView {
    /// The validity in words, with what is wrong with it now.
    fileprivate func validity(at now: Timestamp) -> String {
        let start = notBefore?.description ?? "(malformed)"
        let end = notAfter?.description ?? "(malformed)"
        let note =
            if let notAfter, notAfter < now {
                " (expired)"
            } else if let notBefore, now < notBefore {
                " (not yet valid)"
            } else {
                ""
            }
        return "\(start) to \(end)\(note)"
    }
}
