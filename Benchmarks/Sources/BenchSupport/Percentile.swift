extension Collection<Double> {
    /// Returns the value that the given part of the values, 0 to 1, does not exceed. Zero for an empty array.
    package func percentile(_ part: Double) -> Double {
        let sorted = self.sorted()
        guard let last = sorted.last else { return 0 }
        let index = Int((Double(sorted.count) * part).rounded(.up)) - 1
        return sorted.indices.contains(index) ? sorted[index] : last
    }
}
