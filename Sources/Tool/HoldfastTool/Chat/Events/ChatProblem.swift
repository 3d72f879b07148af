import ChatCenter
import HoldfastTransport
import HoldfastWebSocket

/// Sentences on what goes wrong in a chat, with what to do about it.
enum ChatProblem {
    /// What an app is told of a call, a transfer or the socket.
    static func sentence(_ error: ChatNetworkError) -> String {
        let what: String
        switch error.problem {
        case .call(.configuration, _): what = "the chat's settings could not be loaded: "
        case .call(.history, _): what = "the history could not be loaded: "
        case .call(.unread, _): what = "the number of unread messages could not be loaded: "
        case .call(.search, _): what = "the server could not be searched: "
        case .call(.upload, _): what = "a file could not be uploaded: "
        case .call(.download, _): what = "a file could not be downloaded: "
        case .socket(let cause):
            guard error.failure != nil else { return "no connection: " + sentence(cause) }
            what = "no connection: "
        case nil: what = ""
        }
        return what + detail(error)
    }

    /// Why there is no chat.
    static func sentence(_ error: ChatAuthorizationError) -> String {
        if let error = error.underlying as? ChatNetworkError { return sentence(error) }
        switch error.code {
        case .store:
            let reason = error.underlying.map { ErrorText.sentence($0) } ?? ErrorText.plain(error.reason)
            let clause = ErrorText.clause(reason)
            return "the stored conversation cannot be opened: \(clause). --store FOLDER names another place"
        case .emptyIdentifier: return "the user has no identifier: --user ID gives one"
        case .invalidCredentials: return "the token cannot be sent: \(error.reason)"
        default: return ErrorText.plain(error.reason)
        }
    }

    /// The most precise words that there are.
    private static func detail(_ error: ChatNetworkError) -> String {
        switch error.underlying {
        case let error as TransportError where error.verdict == nil: return ErrorText.plain(error.reason)
        case let underlying as WebSocketError where error.failure?.status == nil:
            return ErrorText.plain(underlying.reason)
        case let error as FileTransferError: return ErrorText.plain(error.reason)
        case let underlying?: return error.failure.map { sentence($0) } ?? ErrorText.sentence(underlying)
        case nil: return error.failure.map { sentence($0) } ?? "it failed for an unknown reason"
        }
    }

    /// Why the socket is not open.
    static func sentence(_ cause: DisconnectCause) -> String {
        switch cause {
        case .transport(let failure): sentence(failure)
        case .handshakeTimeout(let step): "the server did not answer \(step) in time"
        case .closedByServer(let code, let reason, _):
            "the server closed the connection (\(code.map { "code \($0)" } ?? "without a code"))"
                + (reason.isEmpty ? "" : ": \(reason)")
        case .refused(let step, let refusal): "the server refused \(step): \(words(refusal))"
        case .linkDead: "the server has stopped answering"
        case .tooManyAttempts: "too many connections within a short time"
        }
    }

    /// What it comes down to, and what can be done.
    static func sentence(_ failure: TransportFailure) -> String {
        if let trust = failure.trust { return "the server is refused, \(trust.code): \(trust.reason)" }
        if let status = failure.status {
            let refusal = failure.refusal.map { ": \(words($0))" } ?? ""
            return "the server answered with status \(status)\(refusal)\(remedy(forStatus: status))"
        }
        if let refusal = failure.refusal { return "the server refused: \(words(refusal))" }
        switch failure.kind {
        case .noConnectivity: return "this machine has no network connection"
        case .unreachable: return "the server cannot be reached"
        case .timedOut: return "the server did not answer in time"
        case .trust: return "the server is refused"
        case .tlsHandshake: return "the TLS handshake with the server failed"
        case .upgradeRefused: return "the server does not open a WebSocket at this address"
        case .refused: return "the server refused the request"
        case .malformedAnswer:
            let detail = failure.explanation.map { " (\(ErrorText.plain($0)))" } ?? ""
            return "the server's answer does not follow the chat protocol\(detail). Check the address and --api-version"
        case .file: return "a file could not be read or written"
        case .cancelled: return "the request was cancelled"
        case .other: return "the request failed"
        }
    }

    /// A server's code and details, which are its own words.
    static func words(_ refusal: ServerRefusal) -> String {
        "the server's reason is \"\(refusal.code.prefix(128))\""
            + (refusal.details.map { ", \"\($0.prefix(512))\"" } ?? "")
    }

    private static func remedy(forStatus status: Int) -> String {
        switch status {
        case 401, 403: ". --token-file FILE sends an access token"
        case 404: ". Check the address of the server"
        case 500...: ". Try again later"
        default: ""
        }
    }
}
