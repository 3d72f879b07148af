import HoldfastTestSupport

/// One request of a soak, generated from the seed and the request's number.
struct SoakCase: Sendable {
    /// The time at which a request is cancelled.
    enum Cancellation: String, CaseIterable, Codable, Sendable {
        case never
        /// Before it starts.
        case before
        /// A few turns of the executor after it starts, while it waits or dials.
        case soon
        /// When the server has received the request's head.
        case whenSent
        /// When the first part of the response's body has arrived.
        case whenReceiving
        /// In the middle of a streamed upload.
        case whenUploading
    }

    let number: Int
    let kind: SoakKind
    let cancellation: Cancellation
    /// The number of turns before a ``Cancellation/soon`` cancellation.
    let turns: Int
    /// The size of the requested or sent body, in bytes.
    let size: Int
    /// Whether the response is read part by part, not collected.
    let isStreamed: Bool
    /// The number of the server.
    let server: Int
    /// The timeout for a silent server, in milliseconds.
    let patience: Int

    init(_ number: Int, of plan: SoakPlan) {
        var random = SeededGenerator(seed: plan.seed &+ UInt64(truncatingIfNeeded: number) &* 0x2545_F491_4F6C_DD1D)
        self.number = number
        let kind = Self.kind(&random)
        self.kind = kind
        self.isStreamed = kind == .large || Bool.random(using: &random)
        self.size =
            kind == .large
            ? Int.random(in: 100_000...600_000, using: &random) : Int.random(in: 0...3_000, using: &random)
        self.server = Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0
        self.turns = Int.random(in: 0...60, using: &random)
        self.patience = Int.random(in: 1...25, using: &random)
        var ways: [Cancellation] = [.before, .soon, .soon, .whenSent]
        if kind == .silent { ways = [.whenSent] }
        if kind == .upload { ways.append(.whenUploading) }
        if isStreamed, kind == .large || kind == .chunked { ways.append(.whenReceiving) }
        let odds = kind == .silent ? 2 : kind == .large ? 3 : 7
        let isCancelled = Int.random(in: 0..<odds, using: &random) == 0
        self.cancellation = isCancelled ? ways.randomElement(using: &random) ?? .never : .never
    }

    private static let weights = SoakKind.allCases.map(\.weight).reduce(0, +)

    private static func kind(_ random: inout SeededGenerator) -> SoakKind {
        var draw = Int.random(in: 0..<weights, using: &random)
        for kind in SoakKind.allCases {
            draw -= kind.weight
            if draw < 0 { return kind }
        }
        return .sized
    }

    /// The request target, which tells the server what to do.
    var path: String { "/\(kind.rawValue)/\(number)/\(size)" }

    /// Parses a target. Returns `nil` for a target that no soak uses.
    static func parse(_ target: String) -> (kind: SoakKind, number: Int, size: Int)? {
        let parts = target.split(separator: "/")
        guard parts.count == 3, let kind = SoakKind(rawValue: String(parts[0])), let number = Int(parts[1]),
            let size = Int(parts[2]), size >= 0
        else { return nil }
        return (kind, number, size)
    }
}

/// The kind of a request: what it asks for and how the server behaves.
enum SoakKind: String, CaseIterable, Codable, Sendable {
    // Valid exchanges.
    case sized, chunked, untilClose, large, gzip, head, noContent, notModified, informational
    case post, upload, expect, redirect, crossRedirect, closing
    /// The server responds before it has received the body.
    case early
    /// The server responds, then closes without announcing it. The next request may meet a stale connection.
    case forgetful

    // Faults.
    /// The server closes without a response.
    case unanswered
    /// The server closes in the middle of a body, without a TLS close_notify.
    case cut
    /// The server resets the connection in the middle of a body.
    case reset
    /// The response is ambiguous.
    case ambiguous
    /// The response is followed by unexpected bytes.
    case trailing
    /// The server never responds. The request exceeds its total timeout, or is cancelled.
    case silent

    /// The relative frequency of the kind.
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

    /// Whether the request is not retried when it fails on a stale connection.
    var isSentOnce: Bool {
        switch self {
        case .post, .upload, .expect, .early: true
        default: false
        }
    }

    /// Whether the request has a body.
    var hasBody: Bool { isSentOnce }
}
