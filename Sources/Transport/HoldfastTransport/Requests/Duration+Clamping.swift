extension Duration {
    /// A duration from seconds as settings and documents give them: what is not a number, or negative, becomes zero, and
    /// nothing is longer than a hundred years. `Duration.seconds(_:)` would trap on an infinite number.
    package init(clampingSeconds seconds: Double) {
        let hundredYears = 3_155_760_000.0
        guard seconds > 0 else {
            self = .zero
            return
        }
        self = .seconds(min(seconds, hundredYears))
    }
}
