extension DemoStep {
    static let chat: [DemoStep] = []
}
