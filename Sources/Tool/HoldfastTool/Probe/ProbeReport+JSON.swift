import HoldfastBase
import HoldfastTrust

extension ProbeReport {
    /// Returns one object on several lines.
    static func json(_ reports: [ProbeReport]) -> String {
        TerminalSafety.json(String(JSONWriter.text(value(reports)).dropLast()))
    }

    /// Returns one object with the reports of a run.
    static func value(_ reports: [ProbeReport], events: [ProbeEvent]? = nil) -> JSONNode.Value {
        .fields([
            ("exitCode", .number("\(status(of: reports).rawValue)")),
            ("events", events.map { .list($0.map(\.json)) }), ("probes", .list(reports.map(\.json))),
        ])
    }

    /// The report as JSON.
    var json: JSONNode.Value {
        var failure: ProbeFailure?
        if case .failed(let found) = outcome { failure = found }
        let unreadable = unreadable.sorted { $0.key < $1.key }.map { position, reason in
            JSONNode.Value.fields([("position", .number("\(position)")), ("reason", .string(reason))])
        }
        return .fields([
            ("host", .text(target.host)), ("port", .number("\(target.port)")), ("time", .text(time)),
            ("result", .string(outcome.name)), ("expected", .string(expectation.rawValue)),
            ("asExpected", isAsExpected.map { .bool($0) } ?? .null),
            ("failure", failure.map { .fields([("code", .string($0.code)), ("reason", .string($0.reason))]) }),
            ("connection", connection.map(json)), ("certificates", .list(certificates.map(json))),
            ("sentCertificates", .number("\(sent.count)")), ("sentBytes", .number("\(sent.bytes)")),
            ("unreadable", .list(unreadable)), ("verdicts", .list(verdicts.map(\.json))),
            ("pins", .list(pins.map(\.json))), ("unseenPins", .list(unseenPins.map(\.json))),
            ("policyExpires", policyExpires.map { .text($0) }), ("advice", advice.map(\.json)),
            ("warnings", .list(warnings.map(\.json))), ("twoWay", twoWay.map(\.json)),
        ])
    }

    private func json(_ connection: ProbeConnection) -> JSONNode.Value {
        .fields([
            ("address", .string(connection.address)), ("tlsVersion", connection.version.map { .string($0) }),
            ("cipherSuite", connection.cipherSuite.map { .string($0) }),
            ("alpn", connection.applicationProtocol.map { .string($0) }),
            ("alpnOffered", .list(ProbeConnection.offered.map { .string($0) })),
            ("serverName", target.serverName.map { .string($0) }),
        ])
    }

    private func json(_ certificate: ProbeCertificate) -> JSONNode.Value {
        .fields([
            ("served", certificate.servedPosition.map { .number("\($0)") }),
            ("path", certificate.pathPosition.map { .number("\($0)") }),
            ("subject", .string(certificate.subject)), ("issuer", .string(certificate.issuer)),
            ("serial", .string(certificate.serial)), ("names", .list(certificate.names.map { .string($0) })),
            ("key", .string(certificate.key)), ("pin", .string(certificate.spki.base64)),
            ("certificateSHA256", .string(certificate.fingerprint.base64)),
            ("notBefore", certificate.notBefore.map { .text($0) }),
            ("notAfter", certificate.notAfter.map { .text($0) }),
            ("daysLeft", certificate.daysLeft(at: time).map { .number("\($0)") }),
            ("pinMatch", certificate.match.map { .string($0.rawValue) }),
        ])
    }

}

extension Pin {
    /// The pin as JSON, the same in each report.
    var json: JSONNode.Value {
        .fields([("sha256", .string(base64)), ("domain", .string(domain.rawValue)), ("scope", .string(scope.rawValue))])
    }
}

extension ProbeOutcome {
    /// A stable name.
    var name: String {
        switch self {
        case .allowed: "allow"
        case .refused: "block"
        case .failed: "none"
        }
    }
}

extension ProbeVerdict {
    fileprivate var json: JSONNode.Value {
        .fields([
            ("judge", .string(judge)), ("permits", .bool(permits)), ("decision", .string(decision)),
            ("code", .string(finding.code)), ("reason", .string(finding.reason)),
            ("system", system.map(\.json)), ("notices", .list(notices.map(\.json))),
        ])
    }
}

extension ProbeAdvice {
    fileprivate var json: JSONNode.Value {
        .fields([("place", .string(place)), ("line", .string(line)), ("caution", .string(Self.caution))])
    }
}

extension ProbeVerdict.Finding {
    fileprivate var json: JSONNode.Value {
        .fields([("code", .string(code)), ("reason", .string(reason))])
    }
}

extension ProbeWarning {
    fileprivate var json: JSONNode.Value {
        .fields([
            ("code", .string(code.rawValue)), ("message", .string(sentence)),
            ("daysLeft", daysLeft.map { .number("\($0)") }),
        ])
    }
}

extension TwoWayReport {
    fileprivate var json: JSONNode.Value {
        .fields([
            ("passed", .bool(isPassed)),
            (
                "steps",
                .list(
                    steps.map { step in
                        var detail: (code: String, reason: String)?
                        switch step.outcome {
                        case .allowed: break
                        case .refused(let finding): detail = (finding.code, finding.reason)
                        case .failed(let failure): detail = (failure.code, failure.reason)
                        }
                        return .fields([
                            ("name", .string(step.name)), ("expected", .string(step.expectation.rawValue)),
                            ("result", .string(step.outcome.name)), ("passed", .bool(step.isPassed)),
                            ("code", detail.map { .string($0.code) }), ("reason", detail.map { .string($0.reason) }),
                        ])
                    })
            ),
        ])
    }
}
