/// A port on 127.0.0.1 that refuses every connection.
///
/// The port of a server that has stopped does not: another test's server may get the same number in the meantime. This
/// port belongs to a socket that is bound and does not listen, so nothing else in the machine can get it.
package enum RefusingPort {
    /// Runs `body` with the port, and frees it afterwards.
    ///
    /// - Throws: `PeerMissing` if no socket can be bound, and what `body` throws.
    package static func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (UInt16) async throws -> Value
    ) async throws -> Value {
        let held = try HeldPort(for: .nobody)
        defer { held.free() }
        return try await body(held.number)
    }
}
