import HoldfastTrust

/// Formats the reports of a run as metrics. docs/probe.md lists them.
struct ProbeMetrics {
    private let reports: [ProbeReport]
    private let changes: [ProbeEvent.Tally: Int64]

    /// Takes the reports of one round, and how often a watch has seen each change.
    init(_ reports: [ProbeReport], changes: [ProbeEvent.Tally: Int64] = [:]) {
        self.reports = reports
        self.changes = changes
    }

    /// Prometheus' text format.
    var text: String {
        var text = PrometheusText()
        writeOutcomes(to: &text)
        writeCertificates(to: &text)
        writePolicy(to: &text)
        text.write(
            "holdfast_probe_changes_total", .counter, "Changes that a watch has seen, by kind.",
            changes.sorted {
                ($0.key.target.description, $0.key.kind.rawValue) < ($1.key.target.description, $1.key.kind.rawValue)
            }
            .map { (Self.labels($0.key.target) + [("kind", $0.key.kind.rawValue)], .integer($0.value)) })
        return text.text
    }

    private typealias Samples = [(labels: [(String, String)], value: PrometheusText.Value)]

    private static func labels(_ target: ProbeTarget) -> [(String, String)] {
        [("host", target.host.text), ("port", "\(target.port)")]
    }

    /// Returns the position in the sent chain. Added certificates get the position on the path, so that no two samples
    /// are the same.
    private static func position(of certificate: ProbeCertificate) -> String {
        certificate.servedPosition.map { "\($0)" } ?? "added-\(certificate.pathPosition ?? 0)"
    }

    private func each(_ value: (ProbeReport) -> PrometheusText.Value?) -> Samples {
        reports.compactMap { report in value(report).map { (Self.labels(report.target), $0) } }
    }

    private func writeOutcomes(to text: inout PrometheusText) {
        text.write(
            "holdfast_probe_reached", .gauge, "Whether there was a verdict on the server.",
            each { .flag($0.outcome.permits != nil) })
        text.write(
            "holdfast_probe_allowed", .gauge, "Whether the connection was allowed.",
            each { $0.outcome.permits.map { .flag($0) } })
        text.write(
            "holdfast_probe_as_expected", .gauge, "Whether the result was as expected.",
            each { $0.isAsExpected.map { .flag($0) } })
        text.write(
            "holdfast_probe_verdict", .gauge, "Whether a policy allows the server, with the deciding code.",
            reports.flatMap { report in
                zip(["system", "policy"], report.verdicts).map { judge, verdict in
                    (
                        Self.labels(report.target) + [("judge", judge), ("code", verdict.decidingCode)],
                        .flag(verdict.permits)
                    )
                }
            })
        text.write(
            "holdfast_probe_failure", .gauge, "Why there was no verdict, by code.",
            reports.compactMap { report in
                guard case .failed(let failure) = report.outcome else { return nil }
                return (Self.labels(report.target) + [("code", failure.code)], .integer(1))
            })
        text.write(
            "holdfast_probe_tls_info", .gauge, "The TLS parameters of the handshake.",
            reports.compactMap { report in
                report.connection.map {
                    (
                        Self.labels(report.target) + [
                            ("version", $0.version ?? ""), ("cipher_suite", $0.cipherSuite ?? ""),
                            ("alpn", $0.applicationProtocol ?? ""),
                        ], .integer(1)
                    )
                }
            })
        text.write(
            "holdfast_probe_duration_seconds", .gauge, "How long the probe took.",
            each { .real($0.duration / .seconds(1)) })
        text.write(
            "holdfast_probe_timestamp_seconds", .gauge, "When the server was probed.",
            each { .integer($0.time.secondsSince1970) })
    }

    private func writeCertificates(to text: inout PrometheusText) {
        func samples(_ value: (ProbeCertificate) -> Int64?) -> Samples {
            reports.flatMap { report in
                report.weighed.compactMap { certificate in
                    value(certificate).map {
                        (
                            Self.labels(report.target) + [
                                ("position", Self.position(of: certificate)),
                                ("subject", certificate.subject), ("spki_sha256", certificate.spki.base64),
                            ], .integer($0)
                        )
                    }
                }
            }
        }
        text.write(
            "holdfast_probe_certificate_not_after_timestamp_seconds", .gauge, "The end of a certificate's validity.",
            samples { $0.notAfter?.secondsSince1970 })
        text.write(
            "holdfast_probe_certificate_pin_matched", .gauge,
            "Whether a pin matches the certificate, on a verified path.",
            samples { $0.match == .matched ? 1 : 0 })
    }

    private func writePolicy(to text: inout PrometheusText) {
        text.write(
            "holdfast_probe_pins", .gauge, "The pins for the host.",
            each { $0.verdicts.count > 1 ? .integer(Int64($0.pins.count)) : nil })
        text.write(
            "holdfast_probe_pins_unseen", .gauge, "The pins for the host that match no certificate seen.",
            each { $0.verdicts.count > 1 ? .integer(Int64($0.unseenPins.count)) : nil })
        text.write(
            "holdfast_probe_policy_expires_timestamp_seconds", .gauge, "When the policy's rule for the host ends.",
            each { $0.policyExpires.map { .integer($0.secondsSince1970) } })
        text.write(
            "holdfast_probe_two_way_passed", .gauge, "Whether the check with an impostor passed.",
            each { $0.twoWay.map { .flag($0.isPassed) } })
        text.write(
            "holdfast_probe_warnings", .gauge, "Warnings, by code.",
            reports.flatMap { report in
                ProbeWarning.Code.allCases.compactMap { code in
                    let count = report.warnings.count { $0.code == code }
                    return count == 0
                        ? nil : (Self.labels(report.target) + [("code", code.rawValue)], .integer(Int64(count)))
                }
            })
    }
}
