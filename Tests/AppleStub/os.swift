// The signatures of Apple's module os that Holdfast uses: `scripts/check-apple.sh` compiles this into a module named
// os. Nothing here is ever run.

public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func error(_ message: OSLogMessage) {}
    public func debug(_ message: OSLogMessage) {}
}

public struct OSLogPrivacy: Sendable {
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public func appendLiteral(_ literal: String) {}
        public func appendInterpolation(_ text: @autoclosure @escaping () -> String, privacy: OSLogPrivacy) {}
    }

    public init(stringInterpolation: StringInterpolation) {}
    public init(stringLiteral value: String) {}
}
