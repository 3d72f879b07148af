import HoldfastTrust

/// Something that a watch has seen happen.
struct ProbeEvent: Hashable, Sendable {
    /// The kind: stable, and a safe metric label.
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The server shows another key.
        case keyChanged
        /// The server shows another certificate for the same key.
        case certificateRenewed
        /// The certificates above the server's own are others.
        case chainChanged
        /// Another authority has issued the server's certificate.
        case issuerChanged
        /// A client's connection is allowed now, or refused now.
        case verdictChanged
        /// There is no verdict any more.
        case lost
        /// There is a verdict again.
        case recovered
        /// A pin of the policy has matched nothing since the watch began.
        case pinUnseen
        /// A pin that had matched nothing has matched.
        case pinSeen
        /// A warning: it is new, or a day has passed since it was given.
        case warning
    }

    /// What is counted.
    struct Tally: Hashable, Sendable {
        var target: ProbeTarget
        var kind: Kind
    }

    var kind: Kind
    var target: ProbeTarget
    var time: Timestamp
    /// One sentence, safe to print.
    var message: String

    /// As a watch writes it.
    var line: String { "\(time) \(target): \(kind.rawValue): \(message)" }

    var json: JSONNode.Value {
        .fields([
            ("kind", .string(kind.rawValue)), ("host", .text(target.host)), ("port", .number("\(target.port)")),
            ("time", .text(time)), ("message", .string(message)),
        ])
    }
}
