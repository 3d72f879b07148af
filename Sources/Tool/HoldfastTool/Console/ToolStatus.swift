import HoldfastSystem

/// The tool's exit code. Documented in docs/reference/errors.md and docs/tool.md.
enum ToolStatus: Int32, Hashable, Sendable, CaseIterable {
    /// Success, and every result was as expected.
    case success = 0
    /// Completed, but a result was not as expected.
    case failure = 1
    /// The input is unusable: a missing or malformed file, an unknown host, a port in use. Or the output is closed.
    case unusableInput = 2
    /// A server has no verdict: it cannot be reached, or it did not send its certificate. Used by `probe`, `ws` and
    /// `get`.
    case unreachable = 3
    /// The server responded with an error status. This value and those up to 9 are used by `get`.
    case errorResponse = 4
    /// A redirect was not followed, for example because it leads to `http:`.
    case redirectRefused = 5
    /// The output file exists and must not be replaced.
    case outputExists = 6
    /// The file changed on the server during a download, or its digest differs from the expected one.
    case contentChanged = 7
    /// The output cannot be written: the disk is full, or the folder is missing.
    case outputFailed = 8
    /// The server was accepted, but sent no complete, valid response.
    case exchangeFailed = 9
    /// The command line is invalid (`EX_USAGE` in sysexits.h).
    case usage = 64
    /// A signal ended the command before it had a result. The process ends by the signal, which a shell reports as 128
    /// plus the signal's number; this value is the one for SIGINT.
    case interrupted = 130
}

extension ToolStatus {
    /// The codes of commands that no signal ended, with their meanings, for the manual page.
    static let meanings: [(status: ToolStatus, meaning: String)] = [
        (.success, "The command succeeded, and every result is as expected."),
        (.failure, "A result is not as expected: a server was refused, or a check has findings."),
        (.unusableInput, "An input cannot be used: a missing or invalid file, an unknown host, a port that is in use."),
        (.unreachable, "There is no verdict on a server: it is unreachable, or it does not send a certificate."),
        (.errorResponse, "get: the status of the response is 400 or above."),
        (.redirectRefused, "get: a redirect was refused."),
        (.outputExists, "get: the output file exists, or an unfinished download of it."),
        (.contentChanged, "get: the file changed on the server, cannot be resumed, or has a wrong digest."),
        (.outputFailed, "get: the output cannot be written."),
        (.exchangeFailed, "get: the response is incomplete, invalid or too large, or took too long."),
        (.usage, "The command line is invalid."),
    ]

    /// Ends the process with this exit code and removes its temporary folders. A command that was interrupted without a
    /// result ends by the signal.
    func endProcess() -> Never {
        if self == .interrupted, let cause = Interruption.process.cause { cause.endProcess() }
        WorkFolder.removeAll()
        exit(Interruption.process.cause == .outputClosed ? ToolStatus.unusableInput.rawValue : rawValue)
    }
}
