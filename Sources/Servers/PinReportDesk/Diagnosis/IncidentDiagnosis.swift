import HoldfastTrust

/// What probably happened in an incident, with its evidence in sentences.
///
/// Reports can be forged, so that a diagnosis is a reason to check, never a proof.
package struct IncidentDiagnosis: Hashable, Sendable {
    /// What happened.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The device's clock is wrong.
        case wrongClock
        /// A certificate of the server has expired.
        case expiredCertificate
        /// A network's sign-in page, or a server for another host, answered.
        case captivePortal
        /// A third party answers for many hosts with certificates of its own authority.
        case interception
        /// The server has changed to a backup key that a newer policy contains.
        case rotationToKnownBackup
        /// The server has changed to a key that no policy contains.
        case rotationToUnknownKey
        /// The pins end soon, or have ended.
        case policyEndsSoon
        /// No explanation fits.
        case unknown
    }

    /// What happened.
    package var kind: Kind
    /// The facts that lead to the diagnosis, one sentence each.
    package var evidence: [String]

    /// Creates a diagnosis.
    package init(_ kind: Kind, evidence: [String]) {
        self.kind = kind
        self.evidence = evidence
    }

    /// Returns the diagnoses that fit, the most specific first. If none fits, returns only
    /// ``Kind/unknown``. ``Kind/policyEndsSoon`` does not explain failures, and is always last.
    package static func all(_ evidence: IncidentEvidence) -> [IncidentDiagnosis] {
        let causes = [
            wrongClock(evidence), expiredCertificate(evidence), captivePortal(evidence), interception(evidence),
            rotationToKnownBackup(evidence), rotationToUnknownKey(evidence),
        ].compactMap(\.self)
        return (causes.isEmpty ? [unknown(evidence)] : causes) + [policyEndsSoon(evidence)].compactMap(\.self)
    }

    // MARK: Clocks and dates

    /// The time by which an app's clock may be ahead, for example because of a slow connection.
    private static let tolerance: Int64 = 600

    /// The diagnosis that the devices' clocks are wrong: most reports come from the future, or the chain was valid when
    /// they arrived, but not at the app's time.
    package static func wrongClock(_ evidence: IncidentEvidence) -> IncidentDiagnosis? {
        guard evidence.result != .failedNoMatchingPin, !evidence.clocks.isEmpty, !evidence.chain.readable.isEmpty else {
            return nil
        }
        let wrong = evidence.clocks.filter { clocks in
            let isValidThere = evidence.chain.readable.allSatisfy { $0.isValid(at: clocks.reportedAt) }
            let isValidHere = evidence.chain.readable.allSatisfy { $0.isValid(at: clocks.receivedAt) }
            return !isValidThere && isValidHere
        }
        guard 2 * wrong.count > evidence.clocks.count, let first = wrong.first else { return nil }
        var sentences = [
            "\(wrong.count) of \(evidence.clocks.count) recent reports have a time at which the certificates are not "
                + "valid, but the certificates were valid when the reports arrived.",
            "One of them has the time \(first.reportedAt) and arrived at \(first.receivedAt).",
        ]
        if evidence.clocks.contains(where: isAhead) {
            sentences.append("Some reports have a time in the future. Only a wrong clock explains that.")
        }
        return IncidentDiagnosis(.wrongClock, evidence: sentences)
    }

    private static func isAhead(_ clocks: IncidentEvidence.Clocks) -> Bool {
        clocks.reportedAt > clocks.receivedAt.advanced(bySeconds: tolerance)
    }

    /// The diagnosis that a certificate has expired: it was not valid when the reports arrived, by the collector's
    /// clock.
    package static func expiredCertificate(_ evidence: IncidentEvidence) -> IncidentDiagnosis? {
        guard evidence.result != .failedNoMatchingPin else { return nil }
        let time = evidence.clocks.map(\.receivedAt).min() ?? evidence.now
        let expired = evidence.chain.readable.filter { certificate in
            certificate.notAfter.map { $0 < time } ?? false
        }
        guard let first = expired.first, let end = first.notAfter else { return nil }
        let owner =
            first == evidence.chain.leaf
            ? "The server's own certificate" : "The certificate of the authority \(first.subject)"
        var sentences = ["\(owner) expired at \(end), before the first of the recent reports arrived at \(time)."]
        if !evidence.expectedCertificates.isEmpty {
            sentences.append(
                "The chain contains a pinned key, so that a renewal with the same key needs no new policy.")
        }
        return IncidentDiagnosis(.expiredCertificate, evidence: sentences)
    }

    /// The number of seconds before the end of pins that counts as soon: 30 days.
    package static let soon: Int64 = 30 * 86_400

    /// The diagnosis that the pins end within 30 days, or have ended. Apps do not check pins after their end.
    package static func policyEndsSoon(_ evidence: IncidentEvidence) -> IncidentDiagnosis? {
        guard let end = evidence.pinsEnd, end <= evidence.now.advanced(bySeconds: soon) else { return nil }
        let sentence =
            end <= evidence.now
            ? "The pins of the reporting apps ended at \(end). Since then these apps do not check pins of this host."
            : "The pins of the reporting apps end at \(end). Afterwards these apps do not check pins of this host."
        return IncidentDiagnosis(.policyEndsSoon, evidence: [sentence])
    }
}
