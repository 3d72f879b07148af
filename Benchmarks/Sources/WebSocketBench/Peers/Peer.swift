import BenchSupport

/// An installed implementation of another language, which runs in a separate process.
struct Peer: Sendable {
    /// A port of a peer's server.
    struct Port {
        var port: Int
        var isSecure: Bool
        var deflates: Bool
    }

    /// The program of the client and its arguments.
    let clientCommand: [String]
    /// The program of the server and its arguments.
    let serverCommand: [String]

    /// Starts the server. Its first line contains its ports.
    func server() throws -> InteractiveProcess { try start(serverCommand) }

    /// Starts the client, which ``PeerClientMeasurement`` controls.
    func client() throws -> InteractiveProcess { try start(clientCommand) }

    /// Reads the first line of a server: the ports for plain text, plain text with compression, TLS, and TLS with
    /// compression. A port of 0 is not available.
    static func ports(of server: InteractiveProcess) throws -> [Port] {
        let numbers = try server.ask().split(separator: " ").compactMap { Int($0) }
        let kinds = [(false, false), (false, true), (true, false), (true, true)]
        return zip(numbers, kinds).map { Port(port: $0, isSecure: $1.0, deflates: $1.1) }.filter { $0.port > 0 }
    }

    private func start(_ command: [String]) throws -> InteractiveProcess {
        try InteractiveProcess(command[0], Array(command.dropFirst()))
    }
}
