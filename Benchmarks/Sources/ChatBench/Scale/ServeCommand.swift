import ArgumentParser
import BenchSupport
import ChatBenchSupport
import Foundation

/// Runs a chat server behind a relay. ``ScaleCommand`` starts this command in a child process.
///
/// Prints the ``Site`` as JSON. Then each line of the input is a request with one line as the answer: `cut` resets all
/// connections and answers with their number, `traffic` answers with ``Traffic/Counts``.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "serve", shouldDisplay: false)

    @Option var connections: Int

    func run() async throws {
        OpenFiles.raiseLimit()
        try await BenchServer.with(connections: connections) { server in
            try await Relay.with(to: server.site.port) { relay in
                try answer(server.site.through(port: relay.port))
                while let line = await nextLine() {
                    switch line {
                    case "cut": try answer(try await relay.cut())
                    case "traffic": try answer(relay.traffic.counts)
                    default: throw ValidationError("“\(line)” is not a request.")
                    }
                }
            }
        }
    }

    /// Reads a line without blocking a thread of the server.
    private func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }

    private func answer(_ value: some Encodable) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(value) + Data("\n".utf8))
    }
}

/// The child process with the server.
struct ServerProcess: Sendable {
    let site: Site
    private let process: InteractiveProcess

    init(connections: Int) throws {
        process = try InteractiveProcess(own: ["serve", "--connections", "\(connections)"])
        site = try JSONDecoder().decode(Site.self, from: Data(process.ask().utf8))
    }

    /// Resets all connections. Returns their number.
    func cut() throws -> Int { try ask("cut") }

    func traffic() throws -> Traffic.Counts { try ask("traffic") }

    func end() { process.end() }

    private func ask<Value: Decodable>(_ line: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(process.ask(line).utf8))
    }
}
