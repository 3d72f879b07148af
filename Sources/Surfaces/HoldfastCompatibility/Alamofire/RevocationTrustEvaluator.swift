public import HoldfastTrust

/// An evaluator that performs the system verification and then asks the certificate authorities for revocation (OCSP).
///
/// Apple's framework fetches OCSP responses itself; here the app provides a requester. The initializer throws for
/// options that are not supported, so an evaluator never checks less than it promises.
///
/// OCSP requests take time, but ``ServerTrustEvaluating`` is synchronous. A ``ServerTrustManager`` therefore uses
/// ``evaluator`` instead, also inside a composite. The synchronous method always refuses the server.
public struct RevocationTrustEvaluator: ServerTrustEvaluating {
    /// The options of revocation checks. The numbers are Apple's.
    public struct Options: OptionSet, Hashable, Sendable {
        /// The options as a bit mask.
        public let rawValue: UInt
        /// Makes options from a bit mask.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Ask OCSP responders.
        public static let ocsp = Options(rawValue: 1 << 0)
        /// Fetch revocation lists. Not supported; pass the app's own lists to `TrustEngine`.
        public static let crl = Options(rawValue: 1 << 1)
        /// Prefer revocation lists. Not supported.
        public static let preferCRL = Options(rawValue: 1 << 2)
        /// Refuse a server if no response is available.
        public static let requirePositiveResponse = Options(rawValue: 1 << 3)
        /// Use only cached responses. Not supported.
        public static let networkAccessDisabled = Options(rawValue: 1 << 4)
        /// Use any method, both OCSP and lists. Not supported, because lists are not fetched.
        public static let any: Options = [.ocsp, .crl]

        static let names: [(option: Options, name: String)] = [
            (.ocsp, "ocsp"), (.crl, "crl"), (.preferCRL, "preferCRL"),
            (.requirePositiveResponse, "requirePositiveResponse"), (.networkAccessDisabled, "networkAccessDisabled"),
        ]
    }

    /// The asynchronous evaluator that performs the check. It can be used in a table of Holdfast's own evaluators.
    public let evaluator: OCSPRevocationEvaluator
    private let options: Options

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Must be `true`, because only certificates of a verified path are checked.
    ///   - validateHost: Must be `true`, for the same reason.
    ///   - options: `.ocsp`, optionally with `.requirePositiveResponse` (hard fail).
    ///   - requester: Sends the requests to the responders.
    ///   - anchors: The anchors of paths; the machine's roots by default.
    ///   - clock: The clock for validity checks.
    /// - Throws: ``RevocationOptionsError`` for every unsupported option.
    public init(
        performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any,
        requester: (any OCSPRequester)? = nil, anchors: TrustAnchors? = nil, clock: TrustClock = .system
    ) throws(RevocationOptionsError) {
        if !performDefaultValidation || !validateHost {
            throw RevocationOptionsError(
                options: [performDefaultValidation ? "validateHost: false" : "performDefaultValidation: false"],
                reason: "revocation is checked only for a path that is verified for the host")
        }
        let rest = options.subtracting([.ocsp, .requirePositiveResponse])
        if !rest.isEmpty || !options.contains(.ocsp) {
            let names = Options.names.filter { rest.contains($0.option) }.map(\.name)
            let unknown = rest.subtracting(Options(Options.names.map(\.option)))
            throw RevocationOptionsError(
                options: names + (unknown.isEmpty ? [] : ["\(unknown.rawValue)"]),
                reason:
                    "only OCSP is supported: use .ocsp, with .requirePositiveResponse for hard fail"
            )
        }
        guard let requester else {
            throw RevocationOptionsError(
                options: ["ocsp"], reason: "a requester is required to fetch OCSP responses")
        }
        self.options = options
        evaluator = OCSPRevocationEvaluator(
            requester: requester,
            options: OCSPOptions(failure: options.contains(.requirePositiveResponse) ? .hard : .soft),
            anchors: anchors, clock: clock)
    }

    /// Always throws ``AFError`` with `revocationCheckFailed`, because OCSP requests are asynchronous. Use
    /// ``evaluator``.
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

/// An error for options of a ``RevocationTrustEvaluator`` that are not supported.
public struct RevocationOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The names of the unsupported options.
    public var options: [String]
    /// A human-readable explanation.
    public var reason: String

    /// The options and the reason.
    public var description: String { "\(options.joined(separator: ", ")): \(reason)" }
}
