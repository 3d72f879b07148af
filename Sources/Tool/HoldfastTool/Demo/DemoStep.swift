/// One step of the demo, as a value.
struct DemoStep: Sendable {
    /// The part of the demo that it belongs to.
    var chapter: DemoChapter
    /// What is tried, in words.
    var name: String
    /// Under which checks.
    var mode: DemoMode
    /// How it must come out.
    var expectation: DemoObservation.Outcome
    /// Tries it. What it throws is how the step failed.
    var run: @Sendable (DemoStage) async throws -> DemoObservation

    /// Makes a step.
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

/// A part of the demo, with the heading under which its steps are told.
enum DemoChapter: String, Hashable, Sendable, CaseIterable, Encodable {
    /// The genuine server, and a conversation with it.
    case chat
    /// Servers that must be refused.
    case attacks
    /// Servers that look wrong and must be accepted.
    case lookalikes

    /// The heading.
    var heading: String {
        switch self {
        case .chat: "A pinned chat"
        case .attacks: "Attacks: each server poses as the chat server, over HTTPS and over WebSocket"
        case .lookalikes: "What looks like an attack, and must be accepted"
        }
    }
}

/// Which checks a step runs under. The words are those of docs/trust-matrix.md.
enum DemoMode: String, Hashable, Sendable, Encodable {
    /// A valid path to a trusted root, and a pin on it.
    case systemAndPins = "system + pins"
    /// The pinned keys in the place of the system verification: what the chat SDK does.
    case pinnedKeysOnly = "pinned keys only"
}
