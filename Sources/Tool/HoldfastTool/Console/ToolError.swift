import HoldfastSystem
import HoldfastTransport
import HoldfastTrust

/// The reason why a command stopped: one sentence for the user, and the exit code.
struct ToolError: Error, Hashable, CustomStringConvertible {
    /// The exit code.
    var status: ToolStatus
    /// One sentence, without line breaks or terminal control characters: part of it may come from a peer.
    let sentence: String

    /// The maximum number of characters: more than any sentence has.
    private static let shownCharacters = 16 * 1024

    /// Creates an error; by default, the input is unusable.
    init(_ sentence: String, status: ToolStatus = .unusableInput) {
        self.sentence =
            TerminalText.lines(ErrorText.plain(sentence), limit: Self.shownCharacters).lines.joined(separator: " ")
        self.status = status
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

/// The tool's exit code. Documented in docs/tool.md.
enum ToolStatus: Int32, Hashable, Sendable {
    /// Success, and every result was as expected.
    case success = 0
    /// Completed, but a result was not as expected.
    case failure = 1
    /// The input is unusable: a missing or malformed file, an unknown host, a port in use. Or the output is closed.
    case unusableInput = 2
    /// A server has no verdict: it cannot be reached, or it did not send its certificate. Used by `probe` and
    /// `ws`.
    case unreachable = 3
    /// The command line is invalid (`EX_USAGE` in sysexits.h).
    case usage = 64
    /// A signal ended the command before it had a result. The process ends by the signal, which a shell reports as 128
    /// plus the signal's number; this value is the one for SIGINT.
    case interrupted = 130
}

extension ToolStatus {
    /// Ends the process with this exit code and removes its temporary folders. A command that was interrupted without a
    /// result ends by the signal.
    func endProcess() -> Never {
        if self == .interrupted, let cause = Interruption.process.cause { cause.endProcess() }
        WorkFolder.removeAll()
        exit(Interruption.process.cause == .outputClosed ? ToolStatus.unusableInput.rawValue : rawValue)
    }
}
