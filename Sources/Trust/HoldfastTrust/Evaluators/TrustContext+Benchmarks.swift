extension TrustContext {
    /// What a transport asks on its event loop before it judges: the verdict on these certificates, if the same ones were
    /// accepted for the same host within the last minute. For measurements.
    @_spi(Benchmarks) public func rememberedVerdict(
        on der: [[UInt8]], for subject: TrustSubject, at time: Timestamp
    ) -> TrustVerdict? {
        cachedVerdict(on: der, for: subject, at: time)
    }
}
