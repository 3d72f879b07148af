import HoldfastSystem
import HoldfastTransport
import HoldfastTrust

/// Why a command stopped: one sentence for the person at the terminal, and the exit code.
struct ToolError: Error, Hashable, CustomStringConvertible {
    /// The exit code.
    var status: ToolStatus
    /// One sentence, without a line break, and with nothing that a terminal would obey: part of it may be a peer's.
    let sentence: String

    /// More characters than any sentence has.
    private static let shownCharacters = 16 * 1024

    /// Makes an error; the input's fault unless another status is given.
    init(_ sentence: String, status: ToolStatus = .unusableInput) {
        self.sentence =
            TerminalText.lines(ErrorText.plain(sentence), limit: Self.shownCharacters).lines.joined(separator: " ")
        self.status = status
    }

    /// Puts any error into one sentence.
    init(describing error: any Error) {
        if let error = error as? ToolError {
            self = error
        } else {
            self.init(ErrorText.sentence(error))
        }
    }

    /// The same error with another clause behind its sentence.
    func adding(_ clause: String) -> ToolError {
        ToolError("\(sentence); \(clause)", status: status)
    }

    /// The same error with the place where it happened in front of its sentence.
    func inside(_ place: String) -> ToolError {
        ToolError("\(place): \(sentence)", status: status)
    }

    var description: String { sentence }
}

/// An error of another module that says in one sentence what happened.
protocol ReasonedError: Error {
    var reason: String { get }
}

extension BundleError: ReasonedError {}
extension CertificateError: ReasonedError {}
extension HostError: ReasonedError {}
extension PinError: ReasonedError {}
extension ProxyError: ReasonedError {}

extension ToolError {
    /// Returns the value. If it cannot be made, throws the reason behind `context`.
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

/// What the tool's exit code says. Documented in docs/tool.md.
enum ToolStatus: Int32, Hashable, Sendable {
    /// Done, and everything came out as it must.
    case success = 0
    /// Done, and something did not come out as it must: a step of the demo.
    case failure = 1
    /// The input cannot be used: a missing file, garbage, an unknown host, a port that is taken. Or nobody reads the output.
    case unusableInput = 2
    /// There is no verdict on a server: it is not there, or does not get as far as its certificate. `probe` and `ws`
    /// say so.
    case unreachable = 3
    /// The command line is wrong (`EX_USAGE` of sysexits.h).
    case usage = 64
    /// A signal ended the command before it had a result. The process ends by the signal, which a shell tells as 128 and the
    /// signal's number; this is the number for SIGINT.
    case interrupted = 130
}

extension ToolStatus {
    /// Ends the process with this exit code, and removes its temporary folders. A command that was interrupted without a result
    /// ends by the signal.
    func endProcess() -> Never {
        if self == .interrupted, let cause = Interruption.process.cause { cause.endProcess() }
        WorkFolder.removeAll()
        exit(Interruption.process.cause == .outputClosed ? ToolStatus.unusableInput.rawValue : rawValue)
    }
}
