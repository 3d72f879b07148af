import ArgumentParser
import HoldfastWebSocket

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `holdfast-conformance autobahn-client`.
struct AutobahnClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "autobahn-client", abstract: "Tests the client with the fuzzing server of the Autobahn suite.",
        discussion: """
            Runs every case of the server as an echo client, then asks the server to write its report. Exit code 1 if
            the server cannot be reached, or a case could not be started. The results of the cases are in the report.
            """)

    @Argument(help: "The server's URL, for example ws://127.0.0.1:9001 (default: AUTOBAHN_URL).") var url: String?
    @Option(help: "The client's name in the report.") var agent = "Holdfast"
    @Option(help: "The number of the first case.") var first = 1
    @Option(help: "The number of the last case (default: the server's last).") var last: Int?
    @OptionGroup var options: AutobahnOptions

    func validate() throws {
        guard first >= 1, last ?? first >= first else {
            throw ValidationError("--first must be at least 1, and at most --last.")
        }
        guard !agent.isEmpty, agent.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"&#%+?/".utf8.contains($0) }) else {
            throw ValidationError("--agent must not contain blanks or any of & # % + ? /.")
        }
    }

    func run() async throws {
        guard let base = url ?? ProcessInfo.processInfo.environment["AUTOBAHN_URL"] else {
            throw ValidationError("The server's URL is missing. Pass it as the argument, or set AUTOBAHN_URL.")
        }
        let client = WebSocketClient()
        let count = try await caseCount(client, base)
        let last = min(last ?? count, count)
        guard first <= last else {
            throw ValidationError("--first is \(first), but the server has only \(count) cases.")
        }
        var options = WebSocketOptions(limits: AutobahnOptions.limits)
        options.keepAlive = nil
        options.deflate = self.options.compression
        options.fragmentSize = self.options.fragmentSize
        var missing = 0
        for number in first...last {
            do {
                let connection = try await client.connect(
                    "\(base)/runCase?case=\(number)&agent=\(agent)", options: options)
                await connection.echo()
            } catch {
                missing += 1
                print("Case \(number) could not be started: \(error)")
            }
        }
        let report = try await client.connect("\(base)/updateReports?agent=\(agent)")
        for try await _ in report.messages {}
        guard missing == 0 else {
            print("\(missing) of \(last - first + 1) cases were not run.")
            throw ExitCode.failure
        }
    }

    private func caseCount(_ client: WebSocketClient, _ base: String) async throws -> Int {
        let connection = try await client.connect("\(base)/getCaseCount")
        for try await message in connection.messages {
            if case .text(let text) = message, let count = Int(text) { return count }
        }
        throw ValidationError("The server did not send the number of its cases.")
    }
}

/// The options of both roles: compression and the size of frames.
struct AutobahnOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Offer or accept compression.") var deflate = true
    @Flag(help: "Use context takeover in both directions.") var contextTakeover = false
    @Option(help: "The base-2 logarithm of the compression window: 8 to 15.") var windowBits = 15
    @Option(help: "The smallest message that is compressed, in bytes.") var minimumSize = 1
    @Option(help: "Split messages into frames of this size.") var fragmentSize: Int?

    func validate() throws {
        guard (8...15).contains(windowBits) else { throw ValidationError("--window-bits must be from 8 to 15.") }
        guard minimumSize >= 1 else { throw ValidationError("--minimum-size must be at least 1.") }
        guard fragmentSize ?? 1 >= 1 else { throw ValidationError("--fragment-size must be at least 1.") }
    }

    var compression: WebSocketDeflate? {
        guard deflate else { return nil }
        return WebSocketDeflate(
            sendingContextTakeover: contextTakeover, receivingContextTakeover: contextTakeover,
            sendingWindowBits: windowBits, minimumSize: minimumSize)
    }

    /// The limits. The suite sends messages of 16 MiB, and one of 4 MiB in fragments of 64 bytes.
    static let limits = WebSocketLimits(maximumFragments: 1 << 20)
}

extension WebSocketConnection {
    /// Sends every message back until the connection ends. The suite decides whether the end is correct.
    func echo() async {
        do {
            for try await message in messages { try await send(message) }
        } catch {}
        await close()
    }
}
