extension Duration {
    package var milliseconds: Double { microseconds / 1e3 }

    package var microseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
    }
}
