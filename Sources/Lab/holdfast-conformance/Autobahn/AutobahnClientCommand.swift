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
        commandName: "autobahn-client", abstract: "Lets the fuzzing server of the Autobahn suite judge the client.",
        discussion: """
            Echoes in every case that the server has, and then asks it to write its report. Exit code 1 if the server
            cannot be talked to, or a case could not be begun; the verdict on the cases is in the report.
            """)

    @Argument(help: "Where the server is: ws://127.0.0.1:9001; by default what AUTOBAHN_URL says.") var url: String?
    @Option(help: "The name that the report calls the client by.") var agent = "Holdfast"
    @Option(help: "The number of the first case.") var first = 1
    @Option(help: "The number of the last case; by default as many as the server has.") var last: Int?
    @OptionGroup var options: AutobahnOptions

    func validate() throws {
        guard first >= 1, last ?? first >= first else { throw ValidationError("--first and --last are no range.") }
        guard !agent.isEmpty, agent.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"&#%+?/".utf8.contains($0) }) else {
            throw ValidationError("--agent is a name without blanks and without &, #, %, +, ? and /.")
        }
    }

    func run() async throws {
        guard let base = url ?? ProcessInfo.processInfo.environment["AUTOBAHN_URL"] else {
            throw ValidationError("Name the server's URL, or set AUTOBAHN_URL.")
        }
        let client = WebSocketClient()
        let count = try await caseCount(client, base)
        let last = min(last ?? count, count)
        guard first <= last else { throw ValidationError("The server has \(count) cases.") }
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
                print("Case \(number) could not be begun: \(error)")
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
        throw ValidationError("The server does not tell how many cases it has.")
    }
}

/// What both roles have in common: how messages are compressed and how large they may be.
struct AutobahnOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Offer or grant compression.") var deflate = true
    @Flag(help: "Let compressed messages refer to earlier ones, both ways.") var contextTakeover = false
    @Option(help: "Two to this power is the window that this end compresses with: 8 to 15.") var windowBits = 15
    @Option(help: "The smallest message that is compressed, in bytes.") var minimumSize = 1
    @Option(help: "Split messages into frames of this size.") var fragmentSize: Int?

    func validate() throws {
        guard (8...15).contains(windowBits) else { throw ValidationError("--window-bits is from 8 to 15.") }
        guard minimumSize >= 1 else { throw ValidationError("--minimum-size is at least 1.") }
        guard fragmentSize ?? 1 >= 1 else { throw ValidationError("--fragment-size is at least 1.") }
    }

    var compression: WebSocketDeflate? {
        guard deflate else { return nil }
        return WebSocketDeflate(
            sendingContextTakeover: contextTakeover, receivingContextTakeover: contextTakeover,
            sendingWindowBits: windowBits, minimumSize: minimumSize)
    }

    /// The suite sends messages of 16 MiB, and one of 4 MiB in fragments of 64 bytes.
    static let limits = WebSocketLimits(maximumFragments: 1 << 20)
}

extension WebSocketConnection {
    /// Sends back whatever comes, until the connection ends. How it ends is for the suite to judge.
    func echo() async {
        do {
            for try await message in messages { try await send(message) }
        } catch {}
        await close()
    }
}
