import NIOCore
import NIOPosix

/// Ports for programs that need a fixed port.
package enum PeerPort {
    /// Returns a port that is free at the moment, for programs that cannot bind port 0 and report the port.
    ///
    /// Another program may take the port before it is used. In that case, try again with another port.
    package static func free() async throws -> UInt16 {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port.flatMap(UInt16.init)
        try await channel.close()
        guard let port else { throw PeerMissing() }
        return port
    }

    /// Waits until the port accepts connections. Returns `false` if the program ends, or after five seconds.
    package static func listens(_ port: UInt16, _ process: PeerProcess) async -> Bool {
        for _ in 0..<500 {
            let attempt = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: Int(port))
            if let channel = try? await attempt.get() {
                try? await channel.close()
                // If the program has ended, another program listens on the port.
                return process.isRunning
            }
            guard process.isRunning else { return false }
            try? await Task.sleep(for: .milliseconds(10))  // reason: the program does not report when it listens
        }
        process.stop()
        return false
    }

    /// Starts a server that needs a fixed port. Tries up to five ports.
    ///
    /// - Throws: ``PeerMissing`` if the server does not start.
    package static func start(
        _ start: (UInt16) async throws -> PeerProcess
    ) async throws -> (PeerProcess, UInt16) {
        for _ in 0..<5 {
            let port = try await free()
            let process = try await start(port)
            if await listens(port, process) { return (process, port) }
        }
        throw PeerMissing()
    }
}
