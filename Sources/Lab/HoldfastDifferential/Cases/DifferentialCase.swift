package import Foundation
package import HoldfastTrust

/// What a generated case tests.
package enum DifferentialKind: String, Sendable, CaseIterable, Codable {
    /// Paths, names, validity, purposes and constraints.
    case chains
    /// Embedded certificate timestamps (RFC 6962).
    case timestamps
    /// Revocation lists (RFC 5280, 6.3).
    case lists
    /// Certificate policies (RFC 5280, 6.1).
    case policies
}

/// One generated case: certificates and the inputs of the verifiers.
package struct DifferentialCase: Sendable {
    /// The inputs for certificate policies.
    package struct Policies: Sendable, Encodable {
        /// The acceptable policies, dotted; `nil` for any.
        package var accepted: [String]?
        package var explicit = false
        package var inhibitMapping = false
        package var inhibitAny = false

        package init() {}
    }

    /// A log that the verifiers trust or know.
    package struct Log: Sendable, Encodable {
        package var id: Data
        package var key: Data
        package var operatorName: String
        package var state: String
        package var since: Int64

        enum CodingKeys: String, CodingKey {
            case id, key, state, since
            case operatorName = "operator"
        }
    }

    package var kind: DifferentialKind
    /// The number of the case in its run, from 0.
    package var number: Int
    /// The ways in which the case differs from a valid one.
    package var changes: [String]
    /// The anchors, as DER.
    package var anchors: [[UInt8]]
    /// The presented certificates, as DER, the server's own first.
    package var chain: [[UInt8]]
    package var host: String
    package var time: Timestamp
    /// The revocation lists, as DER.
    package var lists: [[UInt8]] = []
    package var policies = Policies()
    /// The list of logs, for Holdfast.
    package var transparencyLogs: TransparencyLogs?
    /// The same logs, for the references.
    package var logs: [Log] = []
    /// The lifetime of the server's certificate in seconds, including its last one.
    package var lifetime: Int64 = 0
    /// The place of a certificate in ``chain`` with a changed byte.
    package var corruptedCertificate: Int?
    /// The place of a list in ``lists`` with a changed byte.
    package var corruptedList: Int?
    /// Whether any certificate among ``anchors`` ends a path (`X509_V_FLAG_PARTIAL_CHAIN`), as in Holdfast.
    package var endsAtAnyAnchor = false

    package init(
        _ kind: DifferentialKind, number: Int, changes: [String], anchors: [[UInt8]], chain: [[UInt8]], host: String,
        time: Timestamp
    ) {
        self.kind = kind
        self.number = number
        self.changes = changes
        self.anchors = anchors
        self.chain = chain
        self.host = host
        self.time = time
    }

    /// The case without inputs that Holdfast must ignore: the issuers of an anchored server certificate, a certificate
    /// that no path contains, or a list that nobody signed. If a reference accepts the rest, the case is acceptable.
    /// `nil` if there are no such inputs.
    package var simplified: (name: String, rest: DifferentialCase)? {
        var rest = self
        if kind == .chains, let leaf = chain.first, anchors.contains(leaf) {
            rest.anchors = [leaf]
            rest.chain = [leaf]
            rest.endsAtAnyAnchor = true
            return ("anchored leaf", rest)
        }
        if let corruptedCertificate, corruptedCertificate > 0 {
            rest.chain.remove(at: corruptedCertificate)
            rest.corruptedCertificate = nil
            return ("corrupted certificate", rest)
        }
        if let corruptedList {
            rest.lists.remove(at: corruptedList)
            rest.corruptedList = nil
            return ("corrupted list", rest)
        }
        return nil
    }
}

extension DifferentialCase: Encodable {
    enum CodingKeys: String, CodingKey {
        case kind, anchors, chain, host, time, lists, policies, logs, lifetime, endsAtAnyAnchor
    }

    /// Encodes what the references need.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        try container.encode(anchors.map { Data($0) }, forKey: .anchors)
        try container.encode(chain.map { Data($0) }, forKey: .chain)
        try container.encode(host, forKey: .host)
        try container.encode(time.secondsSince1970, forKey: .time)
        try container.encode(lists.map { Data($0) }, forKey: .lists)
        if kind == .policies { try container.encode(policies, forKey: .policies) }
        try container.encode(logs, forKey: .logs)
        try container.encode(lifetime, forKey: .lifetime)
        try container.encode(endsAtAnyAnchor, forKey: .endsAtAnyAnchor)
    }
}
