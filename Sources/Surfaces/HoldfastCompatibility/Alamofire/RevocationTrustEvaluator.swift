public import HoldfastTrust

/// An evaluator that performs the system verification and then asks the certificate authorities for revocation, by OCSP
/// or by revocation lists.
///
/// Apple's framework sends the requests itself; here the app provides a requester for each method. The initializer
/// throws for options that are not supported, so an evaluator never checks less than it promises.
///
/// Requests take time, but ``ServerTrustEvaluating`` is synchronous. A ``ServerTrustManager`` therefore uses
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
        /// Fetch the revocation lists that the certificates name.
        public static let crl = Options(rawValue: 1 << 1)
        /// Use revocation lists before OCSP. By default, OCSP comes first. Needs ``crl``.
        public static let preferCRL = Options(rawValue: 1 << 2)
        /// Refuse a server if no response is available.
        public static let requirePositiveResponse = Options(rawValue: 1 << 3)
        /// Use only cached responses. Not supported: Holdfast has no cache of the system.
        public static let networkAccessDisabled = Options(rawValue: 1 << 4)
        /// Use any method, both OCSP and lists.
        public static let any: Options = [.ocsp, .crl]

        static let names: [(option: Options, name: String)] = [
            (.ocsp, "ocsp"), (.crl, "crl"), (.preferCRL, "preferCRL"),
            (.requirePositiveResponse, "requirePositiveResponse"), (.networkAccessDisabled, "networkAccessDisabled"),
        ]
    }

    /// The asynchronous evaluator that performs the check. It can be used in a table of Holdfast's own evaluators.
    public let evaluator: RevocationEvaluator
    private let options: Options

    /// Makes an evaluator.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Must be `true`, because only certificates of a verified path are checked.
    ///   - validateHost: Must be `true`, for the same reason.
    ///   - options: `.ocsp`, `.crl` or both (`.any`), optionally with `.preferCRL`, and with
    ///     `.requirePositiveResponse` (hard fail). Short-lived certificates are not exempt.
    ///   - requester: Sends the requests to the responders. Required for `.ocsp`.
    ///   - lists: Fetches the revocation lists. Required for `.crl`.
    ///   - anchors: The anchors of paths; the machine's roots by default.
    ///   - clock: The clock for validity checks.
    /// - Throws: ``RevocationOptionsError`` for every unsupported option, and for a method without a requester.
    public init(
        performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any,
        requester: (any OCSPRequester)? = nil, lists: (any RevocationListRequester)? = nil,
        anchors: TrustAnchors? = nil, clock: TrustClock = .system
    ) throws(RevocationOptionsError) {
        if !performDefaultValidation || !validateHost {
            throw RevocationOptionsError(
                options: [performDefaultValidation ? "validateHost: false" : "performDefaultValidation: false"],
                reason: "revocation is checked only for a path that is verified for the host")
        }
        var supported: Options = [.ocsp, .crl, .requirePositiveResponse]
        // Without lists, the preference would have no effect.
        if options.contains(.crl) { supported.insert(.preferCRL) }
        let rest = options.subtracting(supported)
        if !rest.isEmpty || options.isDisjoint(with: .any) {
            let names = Options.names.filter { rest.contains($0.option) }.map(\.name)
            let unknown = rest.subtracting(Options(Options.names.map(\.option)))
            throw RevocationOptionsError(
                options: names + (unknown.isEmpty ? [] : ["\(unknown.rawValue)"]),
                reason:
                    "use .ocsp, .crl or .any, with .preferCRL to use lists first and .requirePositiveResponse for hard fail"
            )
        }
        let missing = [
            options.contains(.ocsp) && requester == nil ? "ocsp" : nil,
            options.contains(.crl) && lists == nil ? "crl" : nil,
        ].compactMap(\.self)
        guard missing.isEmpty else {
            throw RevocationOptionsError(
                options: missing, reason: "OCSP needs a requester, and revocation lists need a requester of lists")
        }
        self.options = options
        var settings = RevocationOptions(failure: options.contains(.requirePositiveResponse) ? .hard : .soft)
        settings.prefersLists = options.contains(.preferCRL)
        // Apple's options know no exemption.
        settings.exemptsShortLived = false
        evaluator = RevocationEvaluator(
            lists: options.contains(.crl) ? lists : nil, ocsp: options.contains(.ocsp) ? requester : nil,
            options: settings, anchors: anchors, clock: clock)
    }

    /// Always throws ``AFError`` with `revocationCheckFailed`, because requests are asynchronous. Use
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
///
/// - Remedy: Remove the named options.
public struct RevocationOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The names of the unsupported options.
    public var options: [String]
    /// A human-readable explanation.
    public var reason: String

    /// The options and the reason.
    public var description: String { "\(options.joined(separator: ", ")): \(reason)" }
}
