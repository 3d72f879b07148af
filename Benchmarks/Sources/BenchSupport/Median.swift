extension Collection<Double> {
    /// The middle value; of two, the upper one. Zero if there is none.
    package var median: Double {
        let sorted = self.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
