import Foundation

/// Waits for conditions. The benchmark blocks its main thread; the load has a thread of its own.
enum Polling {
    /// Blocks until a condition holds.
    ///
    /// - Throws: ``BenchFailure`` after the time, and errors of the condition.
    static func wait(_ purpose: String, seconds: Double, until condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try !condition() {
            guard ContinuousClock.now < end else {
                throw BenchFailure("waited \(Int(seconds)) seconds \(purpose), in vain")
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}
