import HoldfastTrust

/// One step of the demo.
struct DemoStep: Sendable {
    /// The part of the demo that it belongs to.
    var chapter: DemoChapter
    /// What the step tries, in words.
    var name: String
    /// The checks that apply.
    var mode: DemoMode
    /// The expected outcome.
    var expectation: DemoObservation.Outcome
    /// Runs the step. A thrown error is the reason why the step failed.
    var run: @Sendable (DemoStage) async throws -> DemoObservation

    /// Creates a step.
    init(
        _ chapter: DemoChapter, _ name: String, _ mode: DemoMode, _ expectation: DemoObservation.Outcome,
        run: @escaping @Sendable (DemoStage) async throws -> DemoObservation
    ) {
        self.chapter = chapter
        self.name = name
        self.mode = mode
        self.expectation = expectation
        self.run = run
    }
}

extension DemoStep {
    /// The demo, in order.
    static let all: [DemoStep] = [handshake] + chat + attacks + [impostor] + lookalikes + [rotation]
}

/// A part of the demo, with the heading under which its steps are printed.
enum DemoChapter: String, Hashable, Sendable, CaseIterable, Encodable {
    /// The genuine server, and a conversation with it.
    case chat
    /// Servers that must be refused.
    case attacks
    /// Servers that look wrong but must be accepted.
    case lookalikes

    /// The heading.
    var heading: String {
        switch self {
        case .chat: "A pinned chat"
        case .attacks: "Attacks: each server poses as the chat server, over HTTPS and over WebSocket"
        case .lookalikes: "Servers that look suspicious but must be accepted"
        }
    }
}

/// The checks that apply in a step. The words are those of docs/trust-matrix.md.
enum DemoMode: String, Hashable, Sendable, Encodable {
    /// A valid path to a trusted root, and a matching pin.
    case systemAndPins = "system + pins"
    /// The pinned keys instead of the system verification, as in the chat SDK.
    case pinnedKeysOnly = "pinned keys only"
}

/// The outcome of a step, with details.
struct DemoObservation: Hashable, Sendable {
    /// What happened, or what is expected to happen.
    enum Outcome: Hashable, Sendable {
        /// The operation succeeded over a connection.
        case worked
        /// The server was accepted, with this finding.
        case accepted(TrustFinding.Code)
        /// The server was refused, with this finding.
        case refused(TrustFinding.Code)
        /// Any other failure.
        case failed
    }

    /// What happened.
    var outcome: Outcome
    /// One sentence with the facts.
    var detail: String
    /// Additional lines: hashes, commands.
    var lines: [String] = []

    /// Returns an observation of success.
    static func worked(_ detail: String, lines: [String] = []) -> DemoObservation {
        DemoObservation(outcome: .worked, detail: detail, lines: lines)
    }

    /// Returns an observation of a failure that is not a verdict.
    static func failed(_ detail: String) -> DemoObservation {
        DemoObservation(outcome: .failed, detail: detail)
    }
}

extension DemoObservation.Outcome: CustomStringConvertible {
    var description: String {
        switch self {
        case .worked: "works"
        case .accepted(let code): "accepted: \(code)"
        case .refused(let code): "refused: \(code)"
        case .failed: "failed"
        }
    }
}
