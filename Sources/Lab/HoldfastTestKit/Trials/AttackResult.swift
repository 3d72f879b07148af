/// The result of one attack on a client.
public struct AttackResult: Hashable, Sendable, CustomStringConvertible {
    /// Whether the client refused the attacker.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// The client started TLS with the attacker, failed, and sent nothing of a request.
        case refused
        /// The attacker received bytes of a request, whatever the client's closure returned.
        case accepted
        /// The client did not start TLS with the attacker, did not end in time, or returned without an error although
        /// the attacker received nothing. This result does not show that the client is safe.
        case failedForAnotherReason
    }

    /// The attack.
    public let attack: PinAttack
    /// Whether the client refused the attacker.
    public let outcome: Outcome
    /// One sentence about what happened. Contains the client's error, if there is one.
    public let reason: String
    /// The number of bytes of requests that the attacker received.
    public let receivedBytes: Int
    /// What the attacker saw of each connection.
    public let connections: [LoopbackConnection]

    init(_ attack: PinAttack, _ run: ClientRun, timeLimit: Duration) {
        self.attack = attack
        receivedBytes = run.receivedBytes
        connections = run.connections
        let reachedTLS = run.connections.contains { $0.startedTLS }
        switch run.ending {
        case _ where run.receivedBytes > 0:
            outcome = .accepted
            reason = "The attacker received \(run.receivedBytes) bytes of a request."
        case .failed(let error) where reachedTLS:
            outcome = .refused
            reason = "The client failed: \(error)"
        case .failed(let error):
            outcome = .failedForAnotherReason
            reason = "The client did not start TLS with the attacker, and failed: \(error)"
        case .returned:
            outcome = .failedForAnotherReason
            reason = "The closure returned without an error, but the attacker received no request. It must throw."
        case .timedOut:
            outcome = .failedForAnotherReason
            reason = "The closure did not end within \(timeLimit)."
        }
    }

    /// The attack, the outcome and the reason.
    public var description: String { "\(attack): \(outcome.rawValue). \(reason)" }
}

/// The results of a ``PinningTrial``.
public struct PinningTrialReport: Hashable, Sendable, CustomStringConvertible {
    /// What the client pins, as the trial was told.
    public let pinned: PinningTrial.PinnedPart
    /// The result of each attack, in the order of the trial.
    public let results: [AttackResult]

    /// The attacks that the client did not refuse.
    public var failures: [AttackResult] { results.filter { $0.outcome != .refused } }

    /// The attackers that received a request.
    public var accepted: [PinAttack] { results.filter { $0.outcome == .accepted }.map(\.attack) }

    /// Returns the result of an attack, or `nil` if the trial did not contain it.
    public subscript(_ attack: PinAttack) -> AttackResult? { results.first { $0.attack == attack } }

    /// Whether the trial has verified that the client trusts both authorities. Otherwise a client without pins, which
    /// trusts only the site's authority, has the same results as a client with pins.
    public var distinguishesPins: Bool { pinned == .key }

    /// One line for each attack, and one line if the results do not distinguish pins from a restricted root.
    public var description: String {
        (results.map(\.description) + (distinguishesPins ? [] : [Self.caution])).joined(separator: "\n")
    }

    static let caution =
        "Not verified: that the client trusts the other authority. A client without pins that trusts only the site's "
        + "authority has the same results."
}

/// An error of a ``PinningTrial``.
public struct PinningTrialError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name of the code.
        public var description: String { rawValue }

        /// The client did not reach the site's own server, so the attacks would show nothing.
        public static let siteNotReached = Code(rawValue: "siteNotReached")
        /// The client did not reach a server with the pinned key and a certificate of the site's other authority, so
        /// refusals would not show that it has pins.
        public static let otherAuthorityNotTrusted = Code(rawValue: "otherAuthorityNotTrusted")
        /// The client did not reach the site's own server after the attacks, so their results show nothing.
        public static let siteLost = Code(rawValue: "siteLost")
        /// The client did not refuse an attack. ``PinningTrialError/report`` has the results.
        public static let notRefused = Code(rawValue: "notRefused")
    }

    /// What happened.
    public let code: Code
    /// One sentence for a person.
    public let reason: String
    /// The results of all attacks, if the trial has reached its end.
    public let report: PinningTrialReport?

    init(_ code: Code, _ reason: String) {
        self.code = code
        let isOther = code == .otherAuthorityNotTrusted
        let server =
            isOther
            ? "a server with the pinned key and a certificate of the other authority" : "the site's own server"
        let place = code == .siteLost ? "after the attacks" : "before the attacks"
        let remedy =
            isOther
            ? "Check that the client trusts both authorities of caFile and pins a key. "
                + "If it pins a certificate or an authority, say so with PinningTrial(pinned:)."
            : "Check that the client trusts caFile and has the trial's pins."
        self.reason = "The client must reach \(server) \(place). \(reason) \(remedy)"
        self.report = nil
    }

    init(report: PinningTrialReport) {
        code = .notRefused
        reason =
            "The client must refuse every attack, but did not refuse \(report.failures.count) of "
            + "\(report.results.count):\n" + report.failures.map { "  \($0)" }.joined(separator: "\n")
            + (report.distinguishesPins ? "" : "\n" + PinningTrialReport.caution)
        self.report = report
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}
