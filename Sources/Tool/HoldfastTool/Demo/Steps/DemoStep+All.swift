extension DemoStep {
    /// The demo, in order.
    static let all: [DemoStep] = [handshake] + chat + attacks + [impostor] + lookalikes + [rotation]
}
