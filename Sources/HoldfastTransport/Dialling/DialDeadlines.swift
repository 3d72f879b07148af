/// How long the phases of a dial may take, each counted from its own start.
package struct DialDeadlines: Hashable, Sendable {
    /// Resolving and connecting.
    package var connect: Duration
    /// The TLS handshake, verification included.
    package var tls: Duration

    package init(connect: Duration, tls: Duration) {
        self.connect = connect
        self.tls = tls
    }
}
