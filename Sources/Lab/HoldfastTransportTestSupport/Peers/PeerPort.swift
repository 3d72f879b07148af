import NIOCore
import NIOPosix

/// Ports for programs that have to be given one.
package enum PeerPort {
    /// A port that nobody listens on at this moment: for programs that cannot be told to take any and to say which. Another
    /// may take it before they do, so that a start which fails is tried again with another port.
    package static func free() async throws -> UInt16 {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port.flatMap(UInt16.init)
        try await channel.close()
        guard let port else { throw PeerMissing() }
        return port
    }

    /// Returns when somebody listens on this port; false if the program has ended instead, or does not in five seconds.
    package static func listens(_ port: UInt16, _ process: PeerProcess) async -> Bool {
        for _ in 0..<500 {
            let attempt = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: Int(port))
            if let channel = try? await attempt.get() {
                try? await channel.close()
                // Another's port, if the program has found it taken.
                return process.isRunning
            }
            guard process.isRunning else { return false }
            try? await Task.sleep(for: .milliseconds(10))  // reason: it does not tell when it listens
        }
        process.stop()
        return false
    }

    /// Starts a server that has to be given a port.
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
