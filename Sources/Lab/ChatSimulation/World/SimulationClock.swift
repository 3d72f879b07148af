/// The time of a world: nanoseconds from its start.
enum SimulationClock {
    /// Milliseconds since 1970 at the start of a world.
    static let epoch: Int64 = 1_700_000_000_000

    static func wall(_ now: Int64) -> Int64 { epoch + now / 1_000_000 }

    static func nanoseconds(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }
}
