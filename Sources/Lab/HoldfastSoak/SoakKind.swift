/// What is asked for in a request of a soak, and what the server does then.
enum SoakKind: String, CaseIterable, Codable, Sendable {
    // Sound exchanges.
    case sized, chunked, untilClose, large, gzip, head, noContent, notModified, informational
    case post, upload, expect, redirect, crossRedirect, closing
    /// The server answers before it has the body.
    case early
    /// The server answers, and closes without having said so: the next request may meet a stale connection.
    case forgetful

    // Faults.
    /// The server closes without an answer.
    case unanswered
    /// The server closes in the middle of a body, without a farewell.
    case cut
    /// The server resets the connection in the middle of a body.
    case reset
    /// The answer can be read in two ways.
    case ambiguous
    /// The answer is followed by bytes that nobody asked for.
    case trailing
    /// The server never answers; the request's total time is up, or it is cancelled.
    case silent

    /// How often a kind is drawn, in relation to the others.
    var weight: Int {
        switch self {
        case .sized: 24
        case .chunked, .post: 12
        case .large: 1
        case .upload, .redirect, .gzip: 5
        case .silent, .expect, .untilClose, .forgetful, .early: 2
        case .unanswered, .cut, .reset, .ambiguous, .trailing, .crossRedirect, .closing: 2
        case .head, .noContent, .notModified, .informational: 4
        }
    }

    /// Whether a request may have met a stale connection in vain: it is not sent twice.
    var isSentOnce: Bool {
        switch self {
        case .post, .upload, .expect, .early: true
        default: false
        }
    }

    /// Whether the request has a body.
    var hasBody: Bool { isSentOnce }
}
