/// Checks the embedded timestamps of a certificate on a verified path. A pure function of its arguments.
struct TransparencyCheck {
    /// The result of a check.
    struct Outcome: Hashable, Sendable {
        /// The reason why the connection must be refused, or `nil`.
        var refusal: TrustFinding?
        /// Further findings.
        var notices: [TrustFinding] = []
        /// The last time for which the result is valid, or `nil` if it does not depend on a list.
        var validUntil: Timestamp?

        fileprivate mutating func fail(_ finding: TrustFinding, _ enforcement: PinningRule.Enforcement) {
            if enforcement == .enforce, refusal == nil { refusal = finding } else { notices.append(finding) }
        }
    }

    /// A timestamp with a valid signature of a trusted log.
    private struct Counted {
        var log: TransparencyLog
        var operatorName: String
        var isCurrent: Bool
    }

    let path: VerifiedPath
    /// Whether the path ends in a local anchor.
    let isLocal: Bool
    let logs: TransparencyLogs?
    let time: Timestamp

    /// Returns whether the path meets all requirements.
    func outcome(of requirements: [TransparencyRequirement]) -> Outcome {
        var outcome = Outcome()
        let active = requirements.filter { !(isLocal && $0.localAnchors == .exempt) }
        if active.count < requirements.count {
            outcome.notices.append(
                TrustFinding(
                    .transparencyExempt,
                    "The path ends in a local anchor, for which the policy requires no certificate timestamps."))
        }
        let enforcement: PinningRule.Enforcement =
            active.contains { $0.enforcement == .enforce } ? .enforce : .reportOnly
        guard let leaf = path.certificates.first, !active.isEmpty else { return outcome }
        guard let logs else {
            outcome.fail(
                TrustFinding(
                    .logListMissing,
                    "Certificate transparency is required, but no list of logs is configured. Supply a list."),
                enforcement)
            return outcome
        }
        outcome.validUntil = logs.usableUntil
        guard !logs.isOutdated(at: time) else {
            outcome.validUntil = nil
            let finding = outdated(logs)
            outcome.fail(finding, logs.whenOutdated == .refuse ? enforcement : .reportOnly)
            return outcome
        }
        let embedded: EmbeddedTimestamps?
        do throws(SCTListError) { embedded = try EmbeddedTimestamps(leaf) } catch {
            outcome.fail(
                TrustFinding(
                    .sctListMalformed, "The certificate timestamps of \(leaf.subject) cannot be read: \(error.reason).",
                    about: leaf), enforcement)
            return outcome
        }
        let counted = count(embedded, of: leaf, logs.list, &outcome.notices)
        for requirement in active {
            if let finding = shortfall(of: counted, requirement, leaf, hasList: embedded != nil) {
                outcome.fail(finding, requirement.enforcement)
            }
        }
        return outcome
    }

    private func outdated(_ logs: TransparencyLogs) -> TrustFinding {
        var facts = TrustFacts()
        facts.notAfter = logs.usableUntil
        facts.time = time
        let effect = logs.whenOutdated == .refuse ? "Replace it." : "Timestamps are not checked until it is replaced."
        return TrustFinding(
            .logListOutdated,
            "The list of logs was issued at \(logs.list.issued) and was usable until \(logs.usableUntil). \(effect)",
            facts: facts)
    }

    // MARK: - Timestamps

    /// Returns the timestamps that count, one for each log. The others become notices.
    private func count(
        _ embedded: EmbeddedTimestamps?, of leaf: CertificateView, _ list: TransparencyLogList,
        _ notices: inout [TrustFinding]
    ) -> [Counted] {
        guard let embedded else { return [] }
        if embedded.unknownVersions > 0 {
            notices.append(
                TrustFinding(
                    .sctUnknownVersion,
                    "Certificate timestamps with an unknown version were skipped: \(embedded.unknownVersions)."))
        }
        let entry = path.certificates.dropFirst().first.flatMap { try? PrecertificateEntry(leaf, issuer: $0) }
        var counted: [TransparencyLogID: Counted] = [:]
        var order: [TransparencyLogID] = []
        for timestamp in embedded.timestamps {
            guard let log = list.log(timestamp.logID) else {
                notices.append(notice(.sctUnknownLog, timestamp, "is of a log that is not in the list"))
                continue
            }
            // A second timestamp of a log never counts, so its signature is not verified.
            guard counted[log.id] == nil else {
                notices.append(notice(.sctRepeatedLog, timestamp, "is a further one of the same log"))
                continue
            }
            guard timestamp.timestamp <= time else {
                notices.append(notice(.sctFromFuture, timestamp, "is from the future (\(timestamp.timestamp))"))
                continue
            }
            let standing = log.standing(of: timestamp.timestamp, at: time)
            guard standing != .untrusted else {
                let reason = "is of a log in the state \(log.state.rawValue) since \(log.since)"
                notices.append(notice(.sctLogNotTrusted, timestamp, reason))
                continue
            }
            guard let entry, TransparencyCheck.isSigned(timestamp, by: log, entry) else {
                notices.append(notice(.sctBadSignature, timestamp, "has no valid signature for this certificate"))
                continue
            }
            counted[log.id] = Counted(
                log: log, operatorName: log.operatorName(at: timestamp.timestamp), isCurrent: standing == .current)
            order.append(log.id)
        }
        return order.compactMap { counted[$0] }
    }

    private static func isSigned(
        _ timestamp: SignedCertificateTimestamp, by log: TransparencyLog, _ entry: PrecertificateEntry
    ) -> Bool {
        guard let algorithm = timestamp.algorithm.verified else { return false }
        return log.verificationKey.isValid(
            timestamp.signature[...], algorithm, message: entry.message(of: timestamp)[...])
    }

    private func notice(
        _ code: TrustFinding.Code, _ timestamp: SignedCertificateTimestamp, _ reason: String
    ) -> TrustFinding {
        var facts = TrustFacts()
        facts.logID = timestamp.logID
        facts.time = time
        return TrustFinding(code, "The certificate timestamp of the log \(timestamp.logID) \(reason).", facts: facts)
    }

    // MARK: - Counts

    /// Returns the reason why the timestamps do not meet a requirement, or `nil` if they do.
    private func shortfall(
        of counted: [Counted], _ requirement: TransparencyRequirement, _ leaf: CertificateView, hasList: Bool
    ) -> TrustFinding? {
        let counts = requirement.counts
        let required = counts.required(for: leaf)
        let operators = Set(counted.map(\.operatorName)).count
        func finding(_ code: TrustFinding.Code, _ reason: String) -> TrustFinding {
            var finding = TrustFinding(code, reason, about: leaf)
            finding.facts.requiredTimestamps = required
            finding.facts.validTimestamps = counted.count
            finding.facts.requiredOperators = counts.operators
            finding.facts.validOperators = operators
            return finding
        }
        let policy = requirement.policyText
        if !hasList {
            return finding(
                .sctsMissing,
                "\(leaf.subject) contains no certificate timestamps; \(policy) requires \(required). "
                    + "Timestamps in the TLS handshake are not visible.")
        }
        guard counted.count >= required else {
            return finding(
                .sctsMissing,
                "\(leaf.subject) has \(counted.count) valid certificate timestamps of distinct logs; \(policy) requires "
                    + "\(required).")
        }
        guard counted.contains(where: \.isCurrent) else {
            return finding(
                .sctNoCurrentLog, "All certificate timestamps of \(leaf.subject) are of logs that are retired.")
        }
        guard operators >= counts.operators else {
            return finding(
                .sctOperators,
                "The certificate timestamps of \(leaf.subject) are of \(operators) operators; \(policy) requires "
                    + "\(counts.operators).")
        }
        guard !counts.requiresRFC6962Log || counted.contains(where: \.log.isRFC6962) else {
            return finding(
                .sctOnlyTiledLogs,
                "No certificate timestamp of \(leaf.subject) is of a log with the interface of RFC 6962, which "
                    + "\(policy) requires.")
        }
        return nil
    }
}
