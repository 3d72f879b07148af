import HTTPTypes

/// Where the chat's server is, and which version of the protocol it speaks.
///
/// The two documented initialisers never fail. What they cannot use they remember: ``problems`` lists it, the SDK logs
/// it, and refuses every connection with that reason. ``init(validating:webSocket:dataStore:dataStoreHTTPHeaders:newRoutesEnabled:apiVersion:)``
/// and ``init(validatingCloudHost:apiVersion:)`` throw every problem at once instead.
public struct ChatTransportConfig: Hashable, Sendable {
    /// Where the history is fetched: `api/client/history` if `true`, the older `history` if not. No other path changes.
    public var newRoutesEnabled: Bool
    /// The version of the chat protocol.
    public var apiVersion: APIVersion
    /// Headers that go with file requests, and with no others.
    public var dataStoreHTTPHeaders: [String: String] {
        didSet { headerProblems = Self.problems(inHeaders: dataStoreHTTPHeaders) }
    }

    /// The three addresses; `nil` if one of them cannot be used.
    package let endpoints: ChatEndpoints?
    private let addressProblems: [ChatTransportProblem]
    private var headerProblems: [ChatTransportProblem]

    /// What is wrong with this configuration. While it is not empty the SDK opens no connection.
    public var problems: [ChatTransportProblem] { addressProblems + headerProblems }

    /// Names the three addresses one by one. Never fails; see ``problems``.
    ///
    /// - Parameters:
    ///   - rest: The base of the REST calls, `https:`.
    ///   - webSocket: The address of the socket, `wss:`.
    ///   - dataStore: The base of the file transfers, `https:`.
    ///   - dataStoreHTTPHeaders: Headers for file requests alone.
    ///   - newRoutesEnabled: Whether the history is fetched from `api/client/history`.
    ///   - apiVersion: The version of the chat protocol.
    public init(
        rest: String, webSocket: String, dataStore: String, dataStoreHTTPHeaders: [String: String]? = nil,
        newRoutesEnabled: Bool = true, apiVersion: APIVersion = .api17
    ) {
        var problems: [ChatTransportProblem] = []
        let endpoints = ChatEndpoints(
            rest: rest, webSocket: webSocket, dataStore: dataStore, problems: &problems)
        self.init(
            endpoints: endpoints, problems: problems, headers: dataStoreHTTPHeaders ?? [:],
            newRoutesEnabled: newRoutesEnabled, apiVersion: apiVersion)
    }

    /// Derives the three addresses from one host: `https://HOST`, `wss://HOST/socket` and `https://HOST/files`.
    ///
    /// A port may follow the host, and a scheme may precede it (`http://` and `ws://` for a server on loopback). Never
    /// fails; see ``problems``.
    public init(cloudHost host: String, apiVersion: APIVersion = .api17) {
        var problems: [ChatTransportProblem] = []
        let endpoints = ChatEndpoints(cloudHost: host, problems: &problems)
        self.init(
            endpoints: endpoints, problems: problems, headers: [:], newRoutesEnabled: true, apiVersion: apiVersion)
    }

    /// Names the three addresses one by one. Throws ``ChatTransportConfigError`` with every problem found.
    public init(
        validating rest: String, webSocket: String, dataStore: String, dataStoreHTTPHeaders: [String: String]? = nil,
        newRoutesEnabled: Bool = true, apiVersion: APIVersion = .api17
    ) throws(ChatTransportConfigError) {
        self.init(
            rest: rest, webSocket: webSocket, dataStore: dataStore, dataStoreHTTPHeaders: dataStoreHTTPHeaders,
            newRoutesEnabled: newRoutesEnabled, apiVersion: apiVersion)
        try validate()
    }

    /// Derives the three addresses from one host. Throws ``ChatTransportConfigError`` with every problem found.
    public init(
        validatingCloudHost host: String, apiVersion: APIVersion = .api17
    ) throws(ChatTransportConfigError) {
        self.init(cloudHost: host, apiVersion: apiVersion)
        try validate()
    }

    private init(
        endpoints: ChatEndpoints?, problems: [ChatTransportProblem], headers: [String: String],
        newRoutesEnabled: Bool, apiVersion: APIVersion
    ) {
        self.endpoints = endpoints
        self.addressProblems = problems
        self.dataStoreHTTPHeaders = headers
        self.headerProblems = Self.problems(inHeaders: headers)
        self.newRoutesEnabled = newRoutesEnabled
        self.apiVersion = apiVersion
    }

    private func validate() throws(ChatTransportConfigError) {
        guard problems.isEmpty else { throw ChatTransportConfigError(problems: problems) }
    }
}

extension ChatTransportConfig: CustomDebugStringConvertible {
    /// The addresses, the version, and the *names* of the headers: their values may be secrets.
    public var debugDescription: String {
        let addresses =
            endpoints.map { "rest: \($0.rest), webSocket: \($0.webSocket), dataStore: \($0.dataStore)" }
            ?? "unusable: " + problems.map(\.description).joined(separator: " ")
        return "ChatTransportConfig(\(addresses), newRoutesEnabled: \(newRoutesEnabled), "
            + "apiVersion: \(apiVersion.rawValue), dataStoreHTTPHeaders: \(dataStoreHTTPHeaders.keys.sorted()))"
    }
}

extension ChatTransportConfig {
    static func problems(inHeaders headers: [String: String]) -> [ChatTransportProblem] {
        headers.sorted { $0.key < $1.key }.compactMap { name, value in
            guard HTTPField.Name(name) != nil else {
                return ChatTransportProblem(
                    .dataStoreHTTPHeaders, .invalidHeader, given: name, reason: "“\(name)” is no name of a header.")
            }
            guard HTTPField.isValidValue(value) else {
                // The value may be a secret: it is not repeated.
                return ChatTransportProblem(
                    .dataStoreHTTPHeaders, .invalidHeader, given: name,
                    reason: "The value of the header “\(name)” holds a line break or another forbidden character.")
            }
            return nil
        }
    }
}

/// One thing that is wrong with a ``ChatTransportConfig``.
public struct ChatTransportProblem: Hashable, Sendable, CustomStringConvertible {
    /// The argument that the problem lies in.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case rest, webSocket, dataStore, cloudHost, dataStoreHTTPHeaders
    }

    /// The kind of problem: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// There is no text.
        public static let empty = Code(rawValue: "empty")
        /// The text is no address.
        public static let malformed = Code(rawValue: "malformed")
        /// The scheme is missing, or not one that this address can have.
        public static let wrongScheme = Code(rawValue: "wrongScheme")
        /// The host is missing or cannot be canonicalised.
        public static let invalidHost = Code(rawValue: "invalidHost")
        /// The port is not between 1 and 65535.
        public static let invalidPort = Code(rawValue: "invalidPort")
        /// The address carries a user name, a query or a fragment, or a host carries a path.
        public static let unexpectedPart = Code(rawValue: "unexpectedPart")
        /// The scheme is not encrypted, and the host is not this machine.
        public static let cleartext = Code(rawValue: "cleartext")
        /// A header's name or value cannot be sent.
        public static let invalidHeader = Code(rawValue: "invalidHeader")
    }

    /// Where the problem lies.
    public var field: Field
    /// The kind of problem.
    public var code: Code
    /// What was given; for a header its name alone.
    public var given: String
    /// One sentence for a person.
    public var reason: String

    /// Describes a problem.
    public init(_ field: Field, _ code: Code, given: String, reason: String) {
        self.field = field
        self.code = code
        self.given = given
        self.reason = reason
    }

    public var description: String { "\(field.rawValue): \(reason)" }
}

/// A ``ChatTransportConfig`` that cannot be honoured. It lists everything that is wrong with it.
public struct ChatTransportConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every problem found; never empty.
    public var problems: [ChatTransportProblem]

    /// Wraps problems.
    public init(problems: [ChatTransportProblem]) {
        self.problems = problems
    }

    public var description: String { problems.map(\.description).joined(separator: " ") }
}
