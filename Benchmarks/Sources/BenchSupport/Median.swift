extension Collection<Double> {
    /// The median: of two middle values the upper one. Zero for an empty array.
    package var median: Double {
        let sorted = self.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
