import HoldfastSystem
import HoldfastTransport
import HoldfastTrust

/// The reason why a command stopped: one sentence for the user, and the exit code.
struct ToolError: Error, Hashable, CustomStringConvertible {
    /// The exit code.
    var status: ToolStatus
    /// One sentence, without line breaks or terminal control characters: part of it may come from a peer.
    let sentence: String
    /// The system's error, if it is the whole reason.
    private(set) var cause: SystemError?

    /// The maximum number of characters: more than any sentence has.
    private static let shownCharacters = 16 * 1024

    /// Creates an error; by default, the input is unusable.
    init(_ sentence: String, status: ToolStatus = .unusableInput) {
        self.sentence =
            TerminalText.lines(ErrorText.plain(sentence), limit: Self.shownCharacters).lines.joined(separator: " ")
        self.status = status
    }

    /// Creates an error from a system call's error.
    init(_ cause: SystemError) {
        self.init("\(cause)")
        self.cause = cause
    }

    /// Describes any error in one sentence.
    init(describing error: any Error) {
        if let error = error as? ToolError {
            self = error
        } else {
            self.init(ErrorText.sentence(error))
        }
    }

    /// Returns the same error with another clause appended.
    func adding(_ clause: String) -> ToolError {
        ToolError("\(sentence); \(clause)", status: status)
    }

    /// Returns the same error, prefixed with the place where it happened.
    func inside(_ place: String) -> ToolError {
        ToolError("\(place): \(sentence)", status: status)
    }

    var description: String { sentence }
}

/// An error of another module that describes itself in one sentence.
protocol ReasonedError: Error {
    var reason: String { get }
}

extension BundleError: ReasonedError {}

extension CertificateError: ReasonedError {}

extension HostError: ReasonedError {}

extension PinError: ReasonedError {}

extension ProxyError: ReasonedError {}

extension ToolError {
    /// Returns the value. If its creation fails, throws the reason, prefixed with `context`.
    static func explaining<Value>(
        _ context: String, status: ToolStatus = .unusableInput, _ value: @autoclosure () throws -> Value
    ) throws(ToolError) -> Value {
        do {
            return try value()
        } catch {
            throw ToolError(
                context + ((error as? any ReasonedError)?.reason ?? ErrorText.sentence(error)), status: status)
        }
    }
}
