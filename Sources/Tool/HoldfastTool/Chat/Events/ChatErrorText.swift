import ChatCenter
import HoldfastTransport
import HoldfastWebSocket

/// Describes the errors of a chat in one sentence each, with a remedy.
enum ChatErrorText {
    /// Describes a failed call, transfer or connection, as an app is told.
    static func sentence(_ error: ChatNetworkError) -> String {
        let what: String
        switch error.problem {
        case .call(.configuration, _): what = "the chat's settings could not be loaded: "
        case .call(.history, _): what = "the history could not be loaded: "
        case .call(.unread, _): what = "the number of unread messages could not be loaded: "
        case .call(.search, _): what = "the search on the server failed: "
        case .call(.upload, _): what = "a file could not be uploaded: "
        case .call(.download, _): what = "a file could not be downloaded: "
        case .socket(let cause):
            guard error.failure != nil else { return "no connection: " + sentence(cause) }
            what = "no connection: "
        case nil: what = ""
        }
        return what + detail(error)
    }

    /// Describes why the chat cannot be opened.
    static func sentence(_ error: ChatAuthorizationError) -> String {
        if let error = error.underlying as? ChatNetworkError { return sentence(error) }
        switch error.code {
        case .store:
            let reason = error.underlying.map { ErrorText.sentence($0) } ?? ErrorText.plain(error.reason)
            let clause = ErrorText.clause(reason)
            return "the stored conversation cannot be opened: \(clause). Choose another folder with --store"
        case .emptyIdentifier: return "the user has no identifier: give one with --user ID"
        case .invalidCredentials: return "the token cannot be sent: \(error.reason)"
        default: return ErrorText.plain(error.reason)
        }
    }

    /// Returns the most specific description available.
    private static func detail(_ error: ChatNetworkError) -> String {
        switch error.underlying {
        case let error as TransportError where error.verdict == nil: return ErrorText.plain(error.reason)
        case let underlying as WebSocketError where error.failure?.status == nil:
            return ErrorText.plain(underlying.reason)
        case let error as FileTransferError: return ErrorText.plain(error.reason)
        case let underlying?: return error.failure.map { sentence($0) } ?? ErrorText.sentence(underlying)
        case nil: return error.failure.map { sentence($0) } ?? "the reason is unknown"
        }
    }

    /// Describes why the socket is not open.
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

    /// Describes a failed request, with a remedy where there is one.
    static func sentence(_ failure: TransportFailure) -> String {
        if let trust = failure.trust { return "the server was refused, \(trust.code): \(trust.reason)" }
        if let status = failure.status {
            let refusal = failure.refusal.map { ": \(words($0))" } ?? ""
            return "the server answered with status \(status)\(refusal)\(remedy(forStatus: status))"
        }
        if let refusal = failure.refusal { return "the server refused: \(words(refusal))" }
        switch failure.kind {
        case .noConnectivity: return "this machine has no network connection"
        case .unreachable: return "the server cannot be reached"
        case .timedOut: return "the server did not answer in time"
        case .trust: return "the server was refused"
        case .tlsHandshake: return "the TLS handshake with the server failed"
        case .upgradeRefused: return "the server refused the WebSocket upgrade at this address"
        case .refused: return "the server refused the request"
        case .malformedAnswer:
            let detail = failure.explanation.map { " (\(ErrorText.plain($0)))" } ?? ""
            return "the server's answer does not follow the chat protocol\(detail). Check the address and --api-version"
        case .file: return "a file could not be read or written"
        case .cancelled: return "the request was cancelled"
        case .other: return "the request failed"
        }
    }

    /// Quotes the code and details that a server sent.
    static func words(_ refusal: ServerRefusal) -> String {
        "the server's reason is \"\(refusal.code.prefix(128))\""
            + (refusal.details.map { ", \"\($0.prefix(512))\"" } ?? "")
    }

    private static func remedy(forStatus status: Int) -> String {
        switch status {
        case 401, 403: ". Give an access token with --token-file FILE"
        case 404: ". Check the address of the server"
        case 500...: ". Try again later"
        default: ""
        }
    }
}
