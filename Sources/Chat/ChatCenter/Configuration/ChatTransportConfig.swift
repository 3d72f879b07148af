import HTTPTypes

/// The addresses of the chat server, and the protocol version it uses.
///
/// The two documented initializers never fail. ``problems`` lists unusable values; the SDK logs them, and refuses every
/// connection for this reason. ``init(validatingCloudHost:apiVersion:)`` and
/// ``init(validating:webSocket:dataStore:dataStoreHTTPHeaders:newRoutesEnabled:apiVersion:)`` throw every problem at
/// once instead.
public struct ChatTransportConfig: Hashable, Sendable {
    /// The path of the history: `api/client/history` if `true`, the older `history` if `false`. Changes no other path.
    public var newRoutesEnabled: Bool
    /// The version of the chat protocol.
    public var apiVersion: APIVersion
    /// Headers that are sent with file requests only.
    public var dataStoreHTTPHeaders: [String: String] {
        didSet { headerProblems = Self.problems(inHeaders: dataStoreHTTPHeaders) }
    }

    /// The three addresses; `nil` if any of them cannot be used.
    package let endpoints: ChatEndpoints?
    private let addressProblems: [ChatTransportProblem]
    private var headerProblems: [ChatTransportProblem]

    /// The problems of this configuration. The SDK opens no connection unless the list is empty.
    public var problems: [ChatTransportProblem] { addressProblems + headerProblems }

    /// Creates a configuration from three addresses. Never fails; see ``problems``.
    ///
    /// - Parameters:
    ///   - rest: The base address of the REST calls, `https:`.
    ///   - webSocket: The address of the socket, `wss:`.
    ///   - dataStore: The base address of the file transfers, `https:`.
    ///   - dataStoreHTTPHeaders: Headers for file requests only.
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
    /// The host may contain a port, and may follow a scheme (`http://` and `ws://` for a server on loopback). Never
    /// fails; see ``problems``.
    public init(cloudHost host: String, apiVersion: APIVersion = .api17) {
        var problems: [ChatTransportProblem] = []
        let endpoints = ChatEndpoints(cloudHost: host, problems: &problems)
        self.init(
            endpoints: endpoints, problems: problems, headers: [:], newRoutesEnabled: true, apiVersion: apiVersion)
    }

    /// Creates a configuration from three addresses. Throws ``ChatTransportConfigError`` with every problem found.
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
    /// A description of the addresses, the version, and the *names* of the headers. The headers' values may be secrets.
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
                    .dataStoreHTTPHeaders, .invalidHeader, given: name,
                    reason: "“\(name)” is not a valid header name.")
            }
            guard HTTPField.isValidValue(value) else {
                // The value may be a secret, so the error does not contain it.
                return ChatTransportProblem(
                    .dataStoreHTTPHeaders, .invalidHeader, given: name,
                    reason: "The value of the header “\(name)” contains a line break or another invalid character.")
            }
            return nil
        }
    }
}

/// The error for a ``ChatTransportConfig`` that cannot be used. It lists all problems.
///
/// - Remedy: Correct every listed value.
public struct ChatTransportConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Every problem found; never empty.
    public var problems: [ChatTransportProblem]

    /// Creates an error from problems.
    public init(problems: [ChatTransportProblem]) {
        self.problems = problems
    }

    /// A textual description, for logs.
    public var description: String { problems.map(\.description).joined(separator: " ") }
}

/// A problem of a ``ChatTransportConfig``.
public struct ChatTransportProblem: Hashable, Sendable, CustomStringConvertible {
    /// The argument that has the problem.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case rest, webSocket, dataStore, cloudHost, dataStoreHTTPHeaders
    }

    /// The kind of problem: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The text is empty.
        public static let empty = Code(rawValue: "empty")
        /// The text is not a valid address.
        public static let malformed = Code(rawValue: "malformed")
        /// The scheme is missing, or is not allowed for this address.
        public static let wrongScheme = Code(rawValue: "wrongScheme")
        /// The host is missing or cannot be converted to canonical form.
        public static let invalidHost = Code(rawValue: "invalidHost")
        /// The port is not between 1 and 65535.
        public static let invalidPort = Code(rawValue: "invalidPort")
        /// The address contains a user name, a query or a fragment, or a host contains a path.
        public static let unexpectedPart = Code(rawValue: "unexpectedPart")
        /// The scheme is not encrypted, and the host is not this machine.
        public static let cleartext = Code(rawValue: "cleartext")
        /// A header's name or value cannot be sent.
        public static let invalidHeader = Code(rawValue: "invalidHeader")
    }

    /// The argument that has the problem.
    public var field: Field
    /// The kind of problem.
    public var code: Code
    /// The given value; for a header, only its name.
    public var given: String
    /// The reason as one sentence that can be shown to a person.
    public var reason: String

    /// Creates a problem.
    public init(_ field: Field, _ code: Code, given: String, reason: String) {
        self.field = field
        self.code = code
        self.given = given
        self.reason = reason
    }

    /// A textual description, for logs.
    public var description: String { "\(field.rawValue): \(reason)" }
}
