import ArgumentParser
import BenchSupport
import Foundation

/// The answer of ``ScaleClientsCommand`` to a command.
struct ScaleAnswer: Codable {
    var seconds: Double
    /// The processor time of the process, in microseconds.
    var cpu: Double
    /// The memory after the command.
    var memory: Memory
    /// The failed attempts to connect and the lost connections, by error.
    var failures: [String: Int]
    var losses: [String: Int]
}

/// Runs the clients of ``ScaleCommand``, which starts this command in a child process.
///
/// Each line of input is an ``Order`` with a number. Each line of output is a ``ScaleAnswer``.
struct ScaleClientsCommand: AsyncParsableCommand {
    enum Order: String {
        /// Opens more clients and waits until all are connected.
        case open
        /// Waits for a number of seconds.
        case idle
        /// Announces that all connections will be cut.
        case cut
        /// Waits until all are connected again. The measurement starts at `cut`.
        case reconnect
    }

    static let configuration = CommandConfiguration(commandName: "scale-clients", shouldDisplay: false)

    @Flag var secure = false
    /// The ``Site`` as JSON.
    @Option var site: String
    @Option var port: Int
    /// The number of loopback addresses on which the server listens.
    @Option var addresses = 1

    func run() async throws {
        OpenFiles.raiseLimit()
        let site = try JSONDecoder().decode(Site.self, from: Data(self.site.utf8))
        let clients = try ScaleClients(site, port: port, isSecure: secure, addresses: addresses)
        var start = (time: ContinuousClock.now, cpu: ProcessorTime.ofProcess())
        var isCut = false
        for await line in Self.lines() {
            let words = line.split(separator: " ")
            guard words.count == 2, let order = Order(rawValue: String(words[0])), let number = Double(words[1]) else {
                throw ValidationError("A command is invalid: \(line)")
            }
            if !isCut {
                start = (ContinuousClock.now, ProcessorTime.ofProcess())
                clients.resetErrors()
            }
            switch order {
            case .open: try await clients.open(Int(number))
            case .idle: try await Task.sleep(for: .seconds(number))
            case .cut: clients.expectCut()
            case .reconnect: try await clients.allConnected()
            }
            isCut = order == .cut
            let seconds = (ContinuousClock.now - start.time) / .seconds(1)
            let cpu = ProcessorTime.ofProcess() - start.cpu
            // The delay lets the last responses arrive and releases memory of the last handshakes.
            if order == .open || order == .reconnect { try await Task.sleep(for: .milliseconds(500)) }
            let (failures, losses) = clients.errors()
            let answer = ScaleAnswer(
                seconds: seconds, cpu: cpu, memory: Memory.now(), failures: failures, losses: losses)
            FileHandle.standardOutput.write(try JSONEncoder().encode(answer) + Data("\n".utf8))
        }
    }

    /// Returns the lines of the input. A separate thread waits for them and blocks no thread of the clients' tasks.
    private static func lines() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }
}
