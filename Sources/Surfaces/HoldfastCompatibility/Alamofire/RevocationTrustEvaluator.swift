public import HoldfastTrust

/// The system verification, then a question to the certificates' authorities (OCSP).
///
/// What Apple's framework fetches by itself has to be asked by somebody here: the app hands in a requester. Options that
/// cannot be honoured make the initialiser throw, instead of an evaluator that promises more than it does.
///
/// Asking takes time, and ``ServerTrustEvaluating`` cannot wait. In a table of a ``ServerTrustManager``, also inside a
/// composite, this evaluator is asked as ``evaluator``, which can; its own synchronous method refuses every server and says so.
public struct RevocationTrustEvaluator: ServerTrustEvaluating {
    /// How revocation is checked. The numbers are Apple's.
    public struct Options: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Ask OCSP responders.
        public static let ocsp = Options(rawValue: 1 << 0)
        /// Fetch revocation lists. Cannot be honoured; lists that the app has can be given to `TrustEngine`.
        public static let crl = Options(rawValue: 1 << 1)
        /// Prefer revocation lists. Cannot be honoured.
        public static let preferCRL = Options(rawValue: 1 << 2)
        /// Refuse a server for which no answer is to be had.
        public static let requirePositiveResponse = Options(rawValue: 1 << 3)
        /// Look into caches alone. Cannot be honoured.
        public static let networkAccessDisabled = Options(rawValue: 1 << 4)
        /// Whatever there is: both OCSP and lists. Cannot be honoured, as lists are not fetched.
        public static let any: Options = [.ocsp, .crl]

        static let names: [(option: Options, name: String)] = [
            (.ocsp, "ocsp"), (.crl, "crl"), (.preferCRL, "preferCRL"),
            (.requirePositiveResponse, "requirePositiveResponse"), (.networkAccessDisabled, "networkAccessDisabled"),
        ]
    }

    /// What does the work, and can be used in a table of Holdfast's own evaluators.
    public let evaluator: OCSPRevocationEvaluator
    private let options: Options

    /// Sets the check up.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Has to be on: only certificates of a verified path are asked about.
    ///   - validateHost: Has to be on, for the same reason.
    ///   - options: `.ocsp`, alone or with `.requirePositiveResponse` (hard fail).
    ///   - requester: What carries the questions to the responders.
    ///   - anchors: Where paths end; the machine's roots by default.
    ///   - clock: Where the time comes from.
    /// - Throws: ``RevocationOptionsError`` for everything that cannot be honoured.
    public init(
        performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any,
        requester: (any OCSPRequester)? = nil, anchors: TrustAnchors? = nil, clock: TrustClock = .system
    ) throws(RevocationOptionsError) {
        if !performDefaultValidation || !validateHost {
            throw RevocationOptionsError(
                options: [performDefaultValidation ? "validateHost: false" : "performDefaultValidation: false"],
                reason: "only certificates of a path that was verified for the host are asked about")
        }
        let rest = options.subtracting([.ocsp, .requirePositiveResponse])
        if !rest.isEmpty || !options.contains(.ocsp) {
            let names = Options.names.filter { rest.contains($0.option) }.map(\.name)
            let unknown = rest.subtracting(Options(Options.names.map(\.option)))
            throw RevocationOptionsError(
                options: names + (unknown.isEmpty ? [] : ["\(unknown.rawValue)"]),
                reason:
                    "revocation is checked by OCSP (.ocsp, with .requirePositiveResponse for hard fail) and nothing else"
            )
        }
        guard let requester else {
            throw RevocationOptionsError(
                options: ["ocsp"], reason: "nobody fetches the answers: hand in a requester")
        }
        self.options = options
        evaluator = OCSPRevocationEvaluator(
            requester: requester,
            options: OCSPOptions(failure: options.contains(.requirePositiveResponse) ? .hard : .soft),
            anchors: anchors, clock: clock)
    }

    /// Throws ``AFError`` with `revocationCheckFailed`, always: asking takes time. Use ``evaluator``.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let finding = TrustFinding(
            .revocationUnavailable,
            "Revocation cannot be checked synchronously; use the evaluator in a ServerTrustManager, or its `evaluator`."
        )
        throw AFError.serverTrustEvaluationFailed(
            reason: .revocationCheckFailed(
                output: .init(host: host, trust: ServerTrust(trust), finding: finding), options: options))
    }
}

/// A ``RevocationTrustEvaluator`` was asked for something that cannot be honoured.
public struct RevocationOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The options that cannot be honoured, by name.
    public var options: [String]
    /// One sentence.
    public var reason: String

    public var description: String { "\(options.joined(separator: ", ")): \(reason)" }
}
