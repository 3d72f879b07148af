extension Duration {
    /// Creates a duration from seconds in settings or documents. NaN and negative values become zero; the maximum is
    /// one hundred years. `Duration.seconds(_:)` would trap on infinity.
    package init(clampingSeconds seconds: Double) {
        let hundredYears = 3_155_760_000.0
        guard seconds > 0 else {
            self = .zero
            return
        }
        self = .seconds(min(seconds, hundredYears))
    }
}
