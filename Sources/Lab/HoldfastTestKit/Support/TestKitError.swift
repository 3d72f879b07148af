/// An error of a server, a recording or a site of the test kit.
public struct TestKitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name of the code.
        public var description: String { rawValue }

        /// A site needs a DNS name or an IPv4 address as its host.
        public static let invalidHost = Code(rawValue: "invalidHost")
        /// The server could not listen.
        public static let notListening = Code(rawValue: "notListening")
        /// The server or collector was stopped while a test waited for it.
        public static let stopped = Code(rawValue: "stopped")
        /// A recording is full, so the element that a test waits for cannot arrive.
        public static let recordingFull = Code(rawValue: "recordingFull")
        /// A client sent a report that is not valid.
        public static let invalidReport = Code(rawValue: "invalidReport")
    }

    /// What happened.
    public let code: Code
    /// One sentence for a person.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}
